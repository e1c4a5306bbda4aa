// Reads the data of the page and shows the report it is for.

import 'uplot/dist/uPlot.min.css';
import './style.css';
import { comparisonPage } from './comparison_page';
import type { ReportData } from './data';
import { h } from './dom';
import { runPage } from './run_page';
import { watchSystemTheme } from './theme';

function show(data: ReportData): HTMLElement[] {
  if (data.format !== 1) throw new Error(`format ${String((data as { format: unknown }).format)} is not known to this page`);
  return data.kind === 'run' ? runPage(data) : comparisonPage(data);
}

const page = document.getElementById('page')!;
watchSystemTheme();
try {
  page.replaceChildren(...show(JSON.parse(document.getElementById('ricochet-data')!.textContent!) as ReportData));
} catch (error) {
  page.replaceChildren(h('p', { class: 'banner', role: 'alert' }, `This report cannot be shown: ${String(error)}`));
  throw error;
}
