import { median } from './median'
import type { Measurement } from './row'

/** One JSON object, `{name, rows}`, for programs. */
export function toJson(name: string, measurements: readonly Measurement[]): string {
  return JSON.stringify({ name, rows: measurements.map(({ row }) => row) })
}

/** A table for people: each metric with its bar, the median and each side's rounds. */
export function toTable(name: string, measurements: readonly Measurement[]): string {
  return [`Bench ${name}`, '', ...measurements.flatMap(toLines), ''].join('\n')
}

function toLines({ row, rounds, roundUnit }: Measurement): string[] {
  const result = row.ok ? 'ok  ' : 'MISS'
  const value = `${shown(row.value)} ${row.unit}`.padStart(12)
  const head = `${result} ${row.metric.padEnd(40)}${value}   (bar ${row.op} ${row.bar})`
  const sides = Object.entries(rounds).map(([side, values]) => {
    const each = values.map(shown).join('  ')
    return `       ${side.padEnd(22)} median ${shown(median(values))} ${roundUnit}   rounds ${each}`
  })
  return [head, ...sides]
}

function shown(value: number): string {
  return value.toFixed(Math.abs(value) < 100 ? 2 : 0)
}
