#include "ricochet/contact/law_resolver.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "law_registry.hpp"
#include "law_routh.hpp"
#include "ricochet/error.hpp"
#include "ricochet/numerics/nonnegative_least_squares.hpp"

namespace ricochet {

namespace {

constexpr int own_passes = 100, last_pass = 200, elastic_passes = 100000;

}  // namespace

template <class T>
struct ImpactResolver<T>::Work {
  struct Record {                                                            // of a contact
    double approach_speed, requested = 0, compression = 0, restitution = 0;  // works of the normal impulse
    bool struck = false;
  };
  std::vector<LawContact<T>> contacts;  // copies: the questions after an impact need them
  std::vector<double> still;
  std::vector<Record> records;
  int rows = 0;
  const T* delta = nullptr;
  int passes = 0, hardest = -1;
  std::vector<T> lambda, c;
  std::vector<int> set;
  std::vector<RouthContact<T>> process;
  std::vector<T> process_delta, process_c;
  Routh<T> routh;
  NonnegativeLeastSquares<T> cone;

  int count() const { return static_cast<int>(contacts.size()); }
  const T& at(int i, int j) const { return delta[i * rows + j]; }
  const T& normal_speed(int i) const { return c[contacts[i].row]; }
  double stiffness(int i) const { return value(at(contacts[i].row, contacts[i].row)); }
  bool approaches(int i) const { return value(normal_speed(i)) < -still[i]; }

  void add_impulse(int row, const T& impulse) {
    lambda[row] = lambda[row] + impulse;
    for (int i = 0; i < rows; ++i) c[i] = c[i] + at(i, row) * impulse;
  }

  // How fast the contacts approach, squared, by the measure that all of those that do have.
  bool all_lengths() const {
    for (int i = 0; i < count(); ++i)
      if (approaches(i) && !contacts[i].length) return false;
    return true;
  }
  double approach(int i, bool lengths) const {
    const double speed = value(normal_speed(i));
    return lengths ? speed * speed : speed * speed / stiffness(i);
  }
  int fastest() const {
    const bool lengths = all_lengths();
    int result = -1;
    for (int i = 0; i < count(); ++i)
      if (approaches(i) && (result < 0 || approach(i, lengths) > approach(result, lengths))) result = i;
    return result;
  }

  T restitution_of(int i) {
    const LawContact<T>& contact = contacts[i];
    T e(contact.law == ImpactLaw::elastic ? 1.0 : 0.0);
    if (contact.restitution != nullptr && contact.law != ImpactLaw::elastic && contact.law != ImpactLaw::plastic)
      e = contact.restitution->at(-normal_speed(i));
    if (contact.captured) e = T(0.0);
    if (!records[i].struck) records[i].requested = value(e), records[i].struck = true;
    return passes > own_passes ? T(0.0) : e;
  }

  // Elastic contacts: the impulses y >= 0 of a pass over the set, c⁺ = c + Δy nearest to −c·(factor − 1).
  void cone_pass(double factor) {
    const int m = static_cast<int>(set.size());
    if (m == 1) {
      const int row = contacts[set[0]].row;
      return add_impulse(row, scaled(-factor, c[row] / at(row, row)));
    }
    cone.resize(m);
    for (int i = 0; i < m; ++i) {
      const int row = contacts[set[i]].row;
      for (int j = 0; j < m; ++j) cone.gram(i, j) = at(row, contacts[set[j]].row);
      cone.b(i) = scaled(factor, c[row]);
    }
    cone.solve();
    for (int i = 0; i < m; ++i)
      if (value(cone.y(i)) > 0) add_impulse(contacts[set[i]].row, cone.y(i));
  }

  void choose(bool closed_too) {
    set.clear();
    for (int i = 0; i < count(); ++i)
      if (closed_too ? value(normal_speed(i)) <= still[i] : approaches(i)) set.push_back(i);
  }

  void reflect(Simultaneous rule) {
    for (int first = hardest; first >= 0; first = fastest()) {
      if (++passes > elastic_passes)
        throw SolverError(
            fmt::format("the reflection of {} contacts did not end after {} passes", count(), elastic_passes),
            std::fabs(value(normal_speed(first))), elastic_passes,
            "contacts that oppose each other (a slot thinner than the way of one step) need a smaller integrator.step");
      if (rule == Simultaneous::sequential)
        set.assign(1, first);
      else
        choose(rule == Simultaneous::moreau);
      cone_pass(2);
    }
  }

  // The law of contact i alone, on the current speeds.
  void strike(int i) {
    const LawContact<T>& contact = contacts[i];
    const LawEntry& entry = law_entry(contact.law);
    const int tangents = entry.tangential == Tangential::free ? 0 : contact.tangents, size = 1 + tangents;
    T local[9], speeds[3];
    for (int a = 0; a < size; ++a) {
      speeds[a] = c[contact.row + a];
      for (int b = 0; b < size; ++b) local[a * size + b] = at(contact.row + a, contact.row + b);
    }
    OneContact<T> one{tangents, local, speeds, restitution_of(i), contact.friction, still[i], routh, {}, 0, 0};
    if constexpr (std::is_same_v<T, double>)
      entry.resolve(one);
    else
      entry.resolve_dual(one);
    records[i].compression += one.compression_work;
    records[i].restitution += one.restitution_work;
    for (int a = 0; a < size; ++a) add_impulse(contact.row + a, one.impulse[a]);
  }

  // Those as fast as the fastest as one process; false if it would pull.
  bool strike_together(int first) {
    const bool lengths = all_lengths();
    const double bound = (1 - 2e-9) * approach(first, lengths);
    set.clear();
    for (int i = 0; i < count(); ++i)
      if (approaches(i) && approach(i, lengths) >= bound) set.push_back(i);
    if (set.size() < 2 || passes > own_passes) return false;
    // Contacts that repeat others (the fourth leg of a table) are left out: Δ_nn y = |c| with y >= 0.
    const int m = static_cast<int>(set.size());
    cone.resize(m);
    for (int i = 0; i < m; ++i) {
      const int row = contacts[set[i]].row;
      for (int j = 0; j < m; ++j) cone.gram(i, j) = at(row, contacts[set[j]].row);
      cone.b(i) = c[row];
    }
    cone.solve();
    for (int i = 0; i < m; ++i) {
      double left = value(cone.b(i)), terms = std::fabs(left);
      for (int j = 0; j < m; ++j) {
        const double term = value(cone.gram(i, j)) * value(cone.y(j));
        left += term;
        terms += std::fabs(term);
      }
      if (std::fabs(left) > 1e-9 * terms) return false;  // pulls
    }
    int kept = 0;
    for (int i = 0; i < m; ++i)
      if (value(cone.y(i)) > 0) set[kept++] = set[i];
    set.resize(kept);
    if (kept < 2) return false;
    return run_process();
  }

  // Routh's process of the contacts in `set`, in a Δ of their rows alone.
  bool run_process() {
    process.clear();
    int size = 0;
    for (const int i : set) {
      const LawContact<T>& contact = contacts[i];
      const Tangential tangential = law_entry(contact.law).tangential;
      const int tangents = tangential == Tangential::free ? 0 : contact.tangents;
      process.push_back(
          {size, tangents, contact.friction, restitution_of(i), tangential == Tangential::stop, still[i]});
      size += 1 + tangents;
    }
    process_delta.resize(static_cast<std::size_t>(size) * size);
    process_c.resize(size);
    const auto row_of = [&](std::size_t k, int a) { return contacts[set[k]].row + a; };
    for (std::size_t k = 0; k < set.size(); ++k)
      for (int a = 0; a <= process[k].tangents; ++a) {
        process_c[process[k].row + a] = c[row_of(k, a)];
        for (std::size_t l = 0; l < set.size(); ++l)
          for (int b = 0; b <= process[l].tangents; ++b)
            process_delta[(process[k].row + a) * size + process[l].row + b] = at(row_of(k, a), row_of(l, b));
      }
    bool done = routh.run(process, size, process_delta.data(), process_c.data());
    bool again = false;  // plastic ones that would have to be pulled: friction instead
    for (std::size_t k = 0; k < set.size() && !done; ++k) again |= process[k].stops, process[k].stops = false;
    if (again) done = routh.run(process, size, process_delta.data(), process_c.data());
    if (!done) return false;
    for (std::size_t k = 0; k < set.size(); ++k) {
      records[set[k]].compression += routh.compression(static_cast<int>(k));
      records[set[k]].restitution += routh.restitution(static_cast<int>(k));
      for (int a = 0; a <= process[k].tangents; ++a) add_impulse(row_of(k, a), routh.impulse()[process[k].row + a]);
    }
    return true;
  }

  void pass_by_laws() {
    bool struck = false;
    for (int i = 0; i < count(); ++i)
      if (contacts[i].pressed && !approaches(i)) strike(i), struck = true;
    for (int first = struck ? fastest() : hardest; first >= 0; first = fastest()) {
      if (++passes > last_pass) {
        set.clear();  // separating ones too: they may not be pressed in
        for (int i = 0; i < count(); ++i) set.push_back(i);
        return cone_pass(1);
      }
      if (!strike_together(first)) strike(first);
    }
  }
};

template <class T>
ImpactResolver<T>::ImpactResolver() : work_(std::make_unique<Work>()) {}
template <class T>
ImpactResolver<T>::~ImpactResolver() = default;
template <class T>
ImpactResolver<T>::ImpactResolver(ImpactResolver&&) noexcept = default;
template <class T>
ImpactResolver<T>& ImpactResolver<T>::operator=(ImpactResolver&&) noexcept = default;

template <class T>
void ImpactResolver<T>::resolve(std::span<const LawContact<T>> contacts, int rows, const T* delta, const T* c,
                                std::span<const double> still, Simultaneous rule) {
  Work& w = *work_;
  w.contacts.assign(contacts.begin(), contacts.end());
  w.still.assign(still.begin(), still.end());
  bool elastic = true;
  w.records.clear();
  for (const LawContact<T>& contact : contacts) {
    w.records.push_back({value(c[contact.row])});
    elastic &= contact.law == ImpactLaw::elastic && !contact.captured && !contact.pressed;
  }
  w.routh.forget_kinks();
  w.rows = rows;
  w.delta = delta;
  w.passes = 0;
  w.lambda.assign(rows, T(0.0));
  w.c.assign(c, c + rows);
  w.hardest = w.fastest();
  if (elastic) {
    for (auto& record : w.records) record.requested = 1;
    w.reflect(rule);
  } else {
    w.pass_by_laws();
  }
}

template <class T>
std::span<const T> ImpactResolver<T>::impulse() const {
  return work_->lambda;
}
template <class T>
std::span<const T> ImpactResolver<T>::c_plus() const {
  return work_->c;
}
template <class T>
double ImpactResolver<T>::requested(int i) const {
  return work_->records[i].requested;
}
template <class T>
double ImpactResolver<T>::obtained(int i) const {
  const LawContact<T>& contact = work_->contacts[i];
  const auto& record = work_->records[i];
  const double before = record.approach_speed, after = value(work_->c[contact.row]);
  if (contact.law == ImpactLaw::plastic || !(before < -work_->still[i])) return 0;
  if (contact.law != ImpactLaw::coulomb) return -after / before;
  return record.compression < 0 ? std::sqrt(std::fmax(0.0, -record.restitution / record.compression)) : 0;
}
template <class T>
int ImpactResolver<T>::hardest() const {
  return work_->hardest;
}
template <class T>
int ImpactResolver<T>::passes() const {
  return work_->passes;
}
template <class T>
bool ImpactResolver<T>::has_kink() const {
  return work_->routh.has_kink();
}
template <class T>
int ImpactResolver<T>::curves() const {
  return work_->routh.curves();
}

template class ImpactResolver<double>;
template class ImpactResolver<Dual>;

}  // namespace ricochet
