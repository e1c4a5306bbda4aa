#include "ricochet/report/gallery_page.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "ricochet/report/field_history.hpp"
#include "ricochet/report/mesh_history.hpp"
#include "ricochet/report/strobe.hpp"
#include "ricochet/report/svg.hpp"
#include "ricochet/simulation/plan.hpp"

namespace ricochet {

namespace {

constexpr std::int64_t frames_wanted = 800;  // with the scenario's own distance between records
constexpr std::int64_t max_steps = 20000;    // each of which is a frame until it is known how many are readable

constexpr const char* page_head = R"(<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Ricochet: the gallery</title>
<style>
:root { color-scheme: light dark; --page: #f6f7f9; --panel: #fff; --ink: #1c2330; --muted: #5a6473; --edge: #d3d9e1; }
@media (prefers-color-scheme: dark) { :root { --page: #12161c; --panel: #1a2028; --ink: #e4e8ee; --muted: #9aa6b6; --edge: #36414f; } }
body { margin: 0; background: var(--page); color: var(--ink); font: 16px/1.45 system-ui, 'DejaVu Sans', sans-serif; }
main { max-width: 1240px; margin: 0 auto; padding: 16px; }
ul { list-style: none; margin: 0; padding: 0; display: grid; gap: 16px; grid-template-columns: repeat(auto-fill, minmax(min(100%, 340px), 1fr)); }
li { background: var(--panel); border: 1px solid var(--edge); border-radius: 8px; overflow: hidden; overflow-wrap: anywhere; }
img { display: block; width: 100%; height: auto; background: #fff; }
div { padding: 10px 14px; }
h2 { margin: 0; font-size: 1.05rem; }
p { margin: 4px 0 0; color: var(--muted); font-size: 0.9rem; }
a { color: inherit; }
</style>
</head>
<body>
<main>
<h1>Gallery</h1>
<ul>
)";

}  // namespace

namespace {

// Bodies: on a line the x–t diagram of the whole run, in the plane three moments of it.
template <class History>
void fill(History& history, const Scenario& scenario, Stepper& stepper) {
  const Plan plan(scenario.run);
  const std::int64_t last = std::min(plan.last(), max_steps), every = std::max<std::int64_t>(last / 120, 1);
  Observables seen;
  const auto take = [&](std::int64_t k) {
    stepper.observe(seen);
    history.add(plan.time(k), seen.fields[0].data(), seen.fields[2].data());
  };
  take(0);
  try {
    for (std::int64_t k = 0; k < last; ++k) {
      stepper.advance(plan.time(k), plan.length(k));
      if ((k + 1) % every == 0) take(k + 1);
    }
  } catch (const SolverError&) {  // `run` says why; the picture shows how far it came
  }
}

std::string field_picture(const Scenario& scenario, Stepper& stepper) {
  if (scenario.continuum->plane) {
    MeshHistory history(stepper.labels());
    history.walls = scenario.continuum->plane->walls;
    fill(history, scenario, stepper);
    return svg_mesh_history(history, "", 680, 400);
  }
  FieldHistory history(stepper.labels(), 160);
  fill(history, scenario, stepper);
  return svg_field_history(history, "", 680, 400);
}

}  // namespace

std::string scenario_picture(const Scenario& scenario) {
  std::vector<std::string> warnings;
  const std::unique_ptr<Stepper> stepper = make_stepper(scenario, warnings);
  if (scenario.continuum) return field_picture(scenario, *stepper);
  Drawing drawing(scenario);
  const Plan plan(scenario.run);
  const std::int64_t every = std::max<std::int64_t>(scenario.run.every, 1);
  const std::int64_t last = std::min({plan.last(), frames_wanted * every, max_steps});
  std::vector<StrobeFrame> frames;
  Observables seen;
  std::int64_t impacts = 0;
  const auto take = [&](std::int64_t k) {
    stepper->observe(seen);
    frames.push_back({plan.time(k), drawing.evaluate(plan.time(k), seen.q.data(), seen.v.data())});
  };
  take(0);
  try {
    for (std::int64_t k = 0; k < last; ++k) {
      stepper->advance(plan.time(k), plan.length(k));
      take(k + 1);
      impacts += std::ssize(stepper->impacts());
      if (scenario.run.impacts >= 0 && impacts >= scenario.run.impacts) break;
    }
  } catch (const SolverError&) {  // `run` says why; the picture shows how far it came
  }
  frames.resize(readable_frames(drawing, frames));
  const std::size_t stride = (frames.size() + frames_wanted - 1) / frames_wanted;
  std::vector<StrobeFrame> shown;
  for (std::size_t k = 0; k < frames.size(); k += stride) shown.push_back(std::move(frames[k]));
  StrobeOptions options;
  options.width = 680, options.height = 400;
  return svg_strobe(drawing, shown, options);
}

std::string gallery_page(const std::vector<GalleryEntry>& entries) {
  std::string page = page_head;
  for (const GalleryEntry& e : entries) {
    const std::string title = escaped(e.title), picture = escaped(e.picture), report = escaped(e.report);
    page += "<li>";
    if (!e.picture.empty())
      page += fmt::format("<img src=\"{}\" alt=\"{}\" width=\"680\" height=\"400\" loading=\"lazy\">", picture, title);
    page += report.empty() ? fmt::format("<div><h2 dir=\"auto\">{}</h2>", title)
                           : fmt::format("<div><h2 dir=\"auto\"><a href=\"{}\">{}</a></h2>", report, title);
    if (!e.reference.empty()) page += fmt::format("<p dir=\"auto\">{}</p>", escaped(e.reference));
    if (!e.method.empty()) page += fmt::format("<p>{}</p>", escaped(e.method));
    if (!e.error.empty()) page += fmt::format("<p>No picture: {}</p>", escaped(e.error));
    page += fmt::format("<p><code>ricochet {} {}</code></p></div></li>\n", e.verb, escaped(e.name));
  }
  return page + "</ul>\n</main>\n</body>\n</html>\n";
}

}  // namespace ricochet
