// Where the run comes from: the scenario as it was, and how to cite it.

import type { ScenarioData } from './data';
import { h, section } from './dom';

export function citation(scenario: ScenarioData, version: string): string {
  const title = scenario.title.replace(/[{}\\]/g, '');
  return [
    '@software{ricochet,',
    '  author  = {{The Ricochet developers}},',
    '  title   = {Ricochet: variational collision integrators for mechanical systems that collide},',
    `  version = {${version}},`,
    `  note    = {Scenario: ${title}}`,
    '}',
  ].join('\n');
}

// A setting in a line; the schedule of an optimal control is thousands of numbers, which open on demand.
export const shortSetting = (text: string, most = 90) => (text.length <= most ? text : `${text.slice(0, most - 2)} …`);

function settings(list: string[]): HTMLElement {
  return h('div', {}, h('p', {}, 'Settings changed for this run:'), h('ul', { class: 'settings' }, ...list.map((text) => h('li', {},
    text === shortSetting(text) ? h('code', {}, text) : h('details', {}, h('summary', {}, h('code', {}, shortSetting(text))), h('code', {}, text))))));
}

export function about(scenario: ScenarioData, version: string, facts: [string, string][]): HTMLElement {
  return section('scenario', 'Scenario',
    h('dl', {}, ...facts.flatMap(([name, value]) => [h('dt', {}, name), h('dd', {}, value)])),
    scenario.overrides.length > 0 && settings(scenario.overrides),
    h('details', { open: scenario.text.length < 4000 }, h('summary', {}, `Text of ${scenario.name || 'the scenario'}`), h('pre', { tabindex: 0, class: 'source' }, scenario.text)),
    h('h3', {}, 'How to cite'),
    h('p', {}, scenario.reference ? `The problem: ${scenario.reference}. ` : '', 'The program, to which ', h('code', {}, 'ricochet cite DIR'), ' adds the papers of the method:'),
    h('pre', { tabindex: 0 }, citation(scenario, version)));
}
