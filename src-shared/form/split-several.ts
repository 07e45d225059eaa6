import { jsonIn } from '../domain/attempt'
import type { FormField } from './form-field'

/** Splits comma-separated text into trimmed values without empty ones; JSON is one value, whatever its commas (A4). */
export function splitSeveral(text: string): string[] {
  const parts = isJson(text) ? [text] : text.split(',').map((part) => part.trim())
  return parts.filter((part) => part !== '')
}

/** Returns the entries of a field's default: several if its input is repeated; in a row of a template, commas are part of the value. */
export function defaultEntries({ default: initial, repeated, target }: FormField): string[] {
  if (initial === undefined) return []
  return repeated && target.variable === undefined ? splitSeveral(initial) : [initial]
}

/** Whether a text is a JSON list or object. */
export function isJson(text: string): boolean {
  return /^\s*[[{]/u.test(text) && jsonIn(text) !== undefined
}
