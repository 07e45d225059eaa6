import type { HostValue } from '../apps/host-app'
import type { HostPath } from './host-tree'

/** A value on one line, as TOML 1.0 writes it; it has no null, which is left out. */
export function tomlValue(value: HostValue): string {
  if (typeof value === 'string') return tomlString(value)
  if (typeof value !== 'object' || value === null) return String(value)
  if (isList(value)) return `[${value.map((element) => tomlValue(element)).join(', ')}]`
  const members = tomlMembers(value)
  return members.length === 0 ? '{}' : `{ ${members.join(', ')} }`
}

/** The members of a table, each as `key = value`. */
export function tomlMembers(table: Readonly<Record<string, HostValue>>): string[] {
  return Object.entries(table)
    .filter(([, value]) => value !== null)
    .map(([key, value]) => `${tomlKey([key])} = ${tomlValue(value)}`)
}

/** Keys with dots between them; places in lists are not written. */
export function tomlKey(path: HostPath): string {
  return path
    .filter((step) => typeof step === 'string')
    .map((key) => (/^[\w-]+$/.test(key) ? key : tomlString(key)))
    .join('.')
}

/** JSON's escapes are those of TOML, except for one character that JSON leaves as it is. */
function tomlString(text: string): string {
  return JSON.stringify(text).replaceAll('\u007F', String.raw`\u007F`)
}

function isList(value: HostValue): value is readonly HostValue[] {
  return Array.isArray(value)
}
