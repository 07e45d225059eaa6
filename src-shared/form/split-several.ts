import { jsonIn } from '../domain/attempt'
import type { FormField } from './form-field'

/** The values of comma-separated text, trimmed and without empty ones; JSON is one value, whatever its commas (A4). */
export function splitSeveral(text: string): string[] {
  const parts = isJson(text) ? [text] : text.split(',').map((part) => part.trim())
  return parts.filter((part) => part !== '')
}

/** The entries that the default of a field stands for: several where its input is repeated; in a row of a template commas are its own. */
export function defaultEntries({ default: initial, repeated, target }: FormField): string[] {
  if (initial === undefined) return []
  return repeated && target.variable === undefined ? splitSeveral(initial) : [initial]
}

/** Whether a text is a JSON list or object. */
export function isJson(text: string): boolean {
  return /^\s*[[{]/u.test(text) && jsonIn(text) !== undefined
}
