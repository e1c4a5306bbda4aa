// What the program puts into the page (docs/report.md), and how its numbers are read.

export type Num = number | { track: number };

export interface ShapeData {
  kind: string;
  color: string;
  label: string;
  at?: Num[];
  from?: Num[];
  to?: Num[];
  radius?: Num[];
  radii?: Num[];
  angle?: Num[];
  normal?: Num[];
  size?: Num[];
  rotation?: Num[];
  length?: Num[];
  points?: number[][];
  coils?: number;
}

export interface ReelData {
  name: string;
  records: number;
  stride: number;
  t: string;
  tracks: string[];
}

// The smallest gap over the plane of two axes, row by row from below; without columns no gap can be shown.
export interface LandscapeData {
  x: string;
  y: string;
  from: number[];
  to: number[];
  columns: number;
  rows: number;
  gap: string;
  hidden: string[]; // contacts that depend on more than the axes
}

export interface DrawingData {
  landscape?: LandscapeData; // only without [view]
  dimension: 2 | 3;
  standard: boolean;
  shapes: ShapeData[];
  reels: ReelData[];
}

export interface HistogramData {
  edges: number[] | null;
  counts: number[] | null;
  logarithmic: boolean;
}

export interface ImpactsData {
  lines: number;
  columns: Record<string, string>;
  contacts: string[];
  laws: string[];
  lossy: boolean; // some impact was not elastic
  alpha: HistogramData;
  interval: HistogramData;
  energy_change: number;
}

// docs/files.md: solution, after `solve`.
export interface SolutionData {
  status: string;
  message: string;
  iterations: number;
  residual: number | null;
  unknowns: Record<string, number | null>;
  guess: Record<string, number | null>;
  conditions: Record<string, number | null>;
  verified: Record<string, number | null>;
  history: { residual: number | null; damping: number; share: number; unknowns: number[] }[];
  // of optimal control
  cost?: number | null;
  times?: number[] | null;
  mismatch?: number | null;
  impacts?: string[];
  multipliers?: Record<string, number | null>;
  candidates?: { impacts: string; cost: number | null }[];
  refinements?: { intervals: number; cost: number | null }[];
}

export interface Summary {
  solution?: SolutionData;
  quantities?: Record<string, number | null>;
  sensitivities?: Record<string, Record<string, number | null>> | null;
  floquet?: [number, number][];
  title: string;
  method: string;
  discretization: string;
  step: number | null;
  steps: number;
  impacts: number;
  status: string;
  message: string;
  time: { start: number; end: number };
  wall_seconds: number | null;
  state_hash: string;
  energy: {
    initial: number | null;
    final: number | null;
    min: number | null;
    max: number | null;
    relative_range: number | null;
    drift_per_time: number | null;
  };
  momentum: Record<string, { initial: number | null; max_deviation: number | null }>;
  scalars?: Record<string, { initial: number | null; final: number | null; min: number | null; max: number | null }>;
  gap_min: number | null;
  holonomic_max: number | null;
  nonholonomic_max: number | null;
  counters?: string[]; // names of further fields, which count something
  [further: string]: unknown;
}

export interface ScenarioData {
  name: string;
  title: string;
  reference: string;
  text: string;
  overrides: string[];
}

export interface PlotData {
  key: string;
  title: string;
  of: number;
  curves: { name: string; y: string }[];
}

// Stretches of lasting contact: number of the contact, mode, begin and end of each.
export interface LastingData {
  count: number; // of all; the first ones are here
  names: string[]; // of all contacts
  modes: string[]; // rest (closed without friction), stick, slide
  contact: string;
  from: string;
  to: string;
}

// The points of a section: values of each quantity.
export interface SectionData {
  name: string;
  at_impacts: boolean;
  count: number; // of all; evenly chosen ones are here
  quantities: string[];
  t: string;
  values: string[];
}

export interface PhaseData {
  name: string;
  t: string;
  q: string;
  v: string;
}

// Bodies on a line: frame after frame, body after body, positions of cells + 1 edges and stresses of cells.
export interface ContinuumData {
  bodies: string[];
  cells: number[];
  t: string;
  x: string;
  stress: string;
  largest: number;
}

// Bodies in the plane: triangles and boundary by nodes, and frame after frame the places of the nodes as 16 bits of the
// box and the mean stresses of the cells as 8 bits of the largest.
export interface MeshData {
  bodies: string[];
  cells: number[];
  triangles: string;
  outline: string;
  box: number[];
  walls: { name: string; circle: boolean; at: number[]; normal: number[]; radius: number }[];
  t: string;
  x: string;
  stress: string;
  largest: number;
}

export interface RunData {
  format: 1;
  kind: 'run';
  version: string;
  summary: Summary;
  scenario: ScenarioData;
  records: number;
  coordinates: number;
  t: string;
  plots: PlotData[];
  phase: PhaseData[];
  impacts: ImpactsData;
  sizes?: { momentum: Record<string, number>; holonomic: number | null; nonholonomic: number | null; gaps: number | null }; // what deviations are compared with
  lasting?: LastingData;
  sections?: SectionData[];
  drawing: DrawingData;
  continuum?: ContinuumData;
  mesh?: MeshData;
}

// audit.json and compare.json as they are. What was not measured is null.
export interface AuditResult {
  audits: {
    method: string;
    refused: string | null;
    step?: number | null;
    truth?: string | null;
    horizon?: { time: number; impacts: number } | null;
    order?: { value: number | null; uncertainty: number | null; note: string | null; points: { step: number; error: number | null }[] };
    energy?: { relative_range: number | null; drift_per_time: number | null; drift_uncertainty: number | null } | null;
    momentum?: Record<string, { max_deviation: number | null }>;
    symplecticity?: { smooth: number | null; impact: number | null };
    penetration?: { grid: number | null; between: number | null };
    reversibility?: { defect: number | null };
    impact_times?: { max_error: number | null };
    nanoseconds_per_step?: number | null;
    warnings?: string[];
    failures?: string[];
  }[];
}

export interface CompareResult {
  truth: string | null;
  note: string | null;
  horizon: { time: number; impacts: number } | null;
  methods: {
    method: string;
    refused: string | null;
    distance?: number | null;
    nanoseconds_per_step?: number | null;
    summary?: Summary | null;
  }[];
}

interface Comparison<Kind, Result> {
  format: 1;
  kind: Kind;
  version: string;
  scenario: ScenarioData;
  traced_steps: number;
  result: Result;
  traces: { name: string; t: string; energy: string }[];
}
export type ComparisonData = Comparison<'audit', AuditResult> | Comparison<'compare', CompareResult>;

export type ReportData = RunData | ComparisonData;

export function bytesOf(base64: string): ArrayBuffer {
  const text = atob(base64);
  const out = new Uint8Array(text.length);
  for (let i = 0; i < text.length; i++) out[i] = text.charCodeAt(i);
  return out.buffer;
}

export const doubles = (base64: string): Float64Array => new Float64Array(bytesOf(base64));
export const floats = (base64: string): Float32Array => new Float32Array(bytesOf(base64));
