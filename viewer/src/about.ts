// Where the run comes from: the scenario as it was, and how to cite it.

import type { ScenarioData } from './data';
import { h, section } from './dom';

export function citation(scenario: ScenarioData, version: string): string {
  const title = scenario.title.replace(/[{}\\]/g, '');
  return [
    '@software{ricochet,',
    '  author  = {{The Ricochet contributors}},',
    '  title   = {Ricochet: structure-preserving simulation of colliding systems},',
    `  version = {${version}},`,
    `  note    = {Scenario: ${title}}`,
    '}',
  ].join('\n');
}

export function about(scenario: ScenarioData, version: string, facts: [string, string][]): HTMLElement {
  return section('scenario', 'Scenario',
    h('dl', {}, ...facts.flatMap(([name, value]) => [h('dt', {}, name), h('dd', {}, value)])),
    scenario.overrides.length > 0 && h('p', {}, 'Changed on the command line: ', ...scenario.overrides.flatMap((o, i) => [i ? ', ' : '', h('code', {}, o)])),
    h('details', { open: scenario.text.length < 4000 }, h('summary', {}, `Text of ${scenario.name || 'the scenario'}`), h('pre', { tabindex: 0, class: 'source' }, scenario.text)),
    h('h3', {}, 'How to cite'),
    h('p', {}, scenario.reference ? `The problem: ${scenario.reference}. ` : '', 'The program:'),
    h('pre', { tabindex: 0 }, citation(scenario, version)));
}
