import * as z from 'zod'

import { FieldValue, type FieldValues } from '../../../src-shared/domain/field-values'
import type { PhaseBudgets } from '../../../src-shared/domain/installation'
import type { FormField } from '../../../src-shared/form/form-field'
import { type FormInput, formSchema } from '../../../src-shared/form/form-schema'

/** What the form holds while it is filled; null stands for untouched. */
export type DraftValues = Record<string, FieldValue | null>

/** The whole form; `handshake` is seconds as text, empty for the default. */
export type InstallDraft = { name: string; handshake: string; values: DraftValues }

/** A draft that passed: ready to be sent. */
export type CheckedDraft = { name: string; values: FieldValues; budgets: PhaseBudgets }

/** The draft without its untouched fields; a list of nothing but empty entries counts as cleared. */
export function touchedValues(values: DraftValues): FieldValues {
  const touched: FieldValues = {}
  for (const [key, value] of Object.entries(values)) {
    if (value === null) continue
    touched[key] = Array.isArray(value) && value.every((entry) => entry === '') ? [] : value
  }
  return touched
}

/** The values as main takes them: empty entries of lists left out. */
export function sentValues(values: FieldValues): FieldValues {
  return Object.fromEntries(
    Object.entries(values).map(([key, value]) => [
      key,
      Array.isArray(value) ? value.filter((entry) => entry.trim() !== '') : value,
    ]),
  )
}

/** The name itself, or with the first free number behind it when it is taken. */
export function uniqueName(wanted: string, taken: readonly string[]): string {
  const used = new Set(taken.map((name) => name.toLowerCase()))
  const base = wanted.trim().slice(0, 110) || 'Server'
  if (!used.has(base.toLowerCase())) return base
  let number = 2
  while (used.has(`${base} ${number}`.toLowerCase())) number += 1
  return `${base} ${number}`
}

/** Seconds as typed, in ms; undefined when empty, null when it is no number from 0.5 to 600. */
export function handshakeMs(text: string): number | undefined | null {
  const typed = text.trim()
  if (typed === '') return undefined
  if (!/^\d{1,3}(\.\d{1,3})?$/.test(typed)) return null
  const ms = Math.round(Number(typed) * 1000)
  return ms >= 500 && ms <= 600_000 ? ms : null
}

type DraftRules = {
  fields: readonly FormField[]
  savedSecrets: readonly string[]
  /** Names of the other servers. */
  takenNames: readonly string[]
  /** Limits that the form does not show and keeps. */
  budgets: PhaseBudgets
}

/** The schema of the whole form: the registry's fields, the server's name and its limit. */
export function draftSchema(rules: DraftRules): z.ZodType<CheckedDraft, InstallDraft> {
  const used = new Set(rules.takenNames.map((name) => name.trim().toLowerCase()))
  const values = formSchema(rules.fields, { savedSecrets: rules.savedSecrets })
  return z
    .object({
      name: z
        .string()
        .trim()
        .min(1, 'Give the server a name.')
        .max(120, 'A name has at most 120 characters.')
        .refine(
          (name) => !used.has(name.toLowerCase()),
          'Another server has this name. Choose a different one.',
        ),
      handshake: z
        .string()
        .refine(
          (text) => handshakeMs(text) !== null,
          'Enter seconds from 0.5 to 600, or leave it empty.',
        ),
      values: z
        .record(z.string(), FieldValue.nullable())
        .transform((draft): FormInput => touchedValues(draft))
        .pipe(values),
    })
    .transform(({ name, handshake, values: checked }) => ({
      name,
      values: sentValues(checked),
      budgets: { ...rules.budgets, handshakeMs: handshakeMs(handshake) ?? undefined },
    }))
}
