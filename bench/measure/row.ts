/** A metric's bar: its value is compared with `bar` by `op`. */
export type Bar = {
  readonly metric: string
  /** `x` for a ratio; `%` of one core; `us` for microseconds. */
  readonly unit: 'x' | '%' | 's' | 'MB' | 'ms' | 'us' | 'count' | 'KB'
  readonly op: '<=' | '>='
  readonly bar: number
}

/** One result of a bench, as `--json` prints it. */
export type Row = {
  readonly metric: string
  readonly value: number
  readonly unit: Bar['unit']
  readonly op: Bar['op']
  readonly bar: number
  readonly ok: boolean
}

/** A row with its raw values: each round by side. */
export type Measurement = {
  readonly row: Row
  readonly rounds: Readonly<Record<string, readonly number[]>>
  /** Unit of the rounds' values. */
  readonly roundUnit: Bar['unit']
}

/** Compares a value with its bar; shown with three decimals, compared exactly. Throws for NaN or infinity. */
export function toRow(bar: Bar, value: number): Row {
  if (!Number.isFinite(value)) throw new Error(`${bar.metric} could not be measured: ${value}`)
  const ok = bar.op === '<=' ? value <= bar.bar : value >= bar.bar
  return {
    metric: bar.metric,
    value: Math.round(value * 1000) / 1000,
    unit: bar.unit,
    op: bar.op,
    bar: bar.bar,
    ok,
  }
}
