import * as z from 'zod'

import type { CustomServer } from '../../../../src-shared/domain/installation/custom-server'
import {
  PhaseBudgets,
  type ProtocolOptions,
} from '../../../../src-shared/domain/installation/installation'
import {
  SecretPlace,
  type SecretPlaces,
} from '../../../../src-shared/domain/installation/secret-place'
import {
  FieldValue,
  type FieldValues,
} from '../../../../src-shared/domain/server-json/field-values'
import type { FormField } from '../../../../src-shared/form/form-field'
import { type FormInput, formSchema } from '../../../../src-shared/form/form-schema'
import { isSetEmpty } from '../../../../src-shared/form/set-empty'
import {
  type CustomServerFieldParts,
  customServerOf,
  customServerProblems,
} from './custom-server-controls'

/** Values while the form is filled in; null means untouched. */
export type DraftValues = Record<string, FieldValue | null>

/** Place of each secret field's secret; null for none. */
type DraftPlaces = Record<string, SecretPlace | null>

/** The whole form. Limits are seconds as text, empty for the default; `cwd` is empty for the home folder. */
export type InstallDraft = Record<LimitName, string> &
  ProtocolChoice & {
    name: string
    cwd: string
    values: DraftValues
    secrets: DraftPlaces
    /** Parts of a custom server, which has no fields. */
    customServer?: CustomServerFieldParts
  }

/** The part of a draft that determines its command. */
export type CommandInput = {
  values: FieldValues
  secrets: SecretPlaces
  cwd: string
  made?: CustomServer | undefined
}

/** A valid draft, ready to be sent. */
export type CheckedDraft = CommandInput & {
  name: string
  budgets: PhaseBudgets
  protocol: ProtocolOptions
}

/** Returns the draft's values without untouched fields; a list of only empty entries counts as cleared. */
export function touchedValues(values: DraftValues): FieldValues {
  const touched: FieldValues = {}
  for (const [key, value] of Object.entries(values)) {
    if (value === null) continue
    // A single empty entry is a variable with an empty value.
    const isCleared =
      Array.isArray(value) && value.length > 1 && value.every((entry) => entry === '')
    touched[key] = isCleared ? [] : value
  }
  return touched
}

/** Returns the places of secrets that are not typed, in main's form. */
export function sentPlaces(secrets: DraftPlaces): SecretPlaces {
  return Object.fromEntries(
    Object.entries(secrets).flatMap(([key, place]) => (place ? [[key, place] as const] : [])),
  )
}

/** Returns the values in main's form: lists without empty entries, except variables, whose entries are rows of one template. */
export function sentValues(fields: readonly FormField[], values: FieldValues): FieldValues {
  const inRows = new Set(
    fields.filter(({ target }) => target.variable !== undefined).map(({ key }) => key),
  )
  const setEmpty = new Set(
    fields.filter((field) => isSetEmpty(field, values[field.key])).map(({ key }) => key),
  )
  return Object.fromEntries(
    Object.entries(values).map(([key, value]) => [
      key,
      Array.isArray(value) && !inRows.has(key) && !setEmpty.has(key)
        ? value.filter((entry) => entry.trim() !== '')
        : value,
    ]),
  )
}

/** Returns the name, or the name with the first free number if it is taken. */
export function uniqueName(wanted: string, taken: readonly string[]): string {
  const used = new Set(taken.map((name) => name.toLowerCase()))
  const base = wanted.trim().slice(0, 110) || 'Server'
  if (!used.has(base.toLowerCase())) return base
  let number = 2
  while (used.has(`${base} ${number}`.toLowerCase())) number += 1
  return `${base} ${number}`
}

/** Whether a path is absolute. */
export function isFullPath(path: string): boolean {
  return /^(\/|[A-Za-z]:[\\/]|\\\\)/.test(path)
}

/** The inputs of a draft's schema. */
export type DraftRules = {
  fields: readonly FormField[]
  savedSecrets: readonly string[]
  takenNames: readonly string[]
  /** Available shared secrets of a custom server; none if missing. */
  storedIds?: readonly string[]
  /** Whether the server is remote: its folder and start limits are ignored. */
  isAddress?: boolean
}

const parts = z.custom<CustomServerFieldParts>()

/** Returns the schema of the whole form: the registry's fields or custom parts, the name, folder and limits. */
export function draftSchema(rules: DraftRules): z.ZodType<CheckedDraft, InstallDraft> {
  const { storedIds = [], isAddress = false } = rules
  const used = new Set(rules.takenNames.map((name) => name.trim().toLowerCase()))
  const values = formSchema(rules.fields, { savedSecrets: rules.savedSecrets })
  return z
    .object({
      name: z
        .string()
        .trim()
        .min(1, 'Enter a name.')
        .max(120, 'Use at most 120 characters.')
        .refine(
          (name) => !used.has(name.toLowerCase()),
          'Name already in use. Choose another one.',
        ),
      cwd: z
        .string()
        .trim()
        .max(4_096, 'Use at most 4,096 characters.')
        .refine(
          (path) => path === '' || isFullPath(path) || isAddress,
          'Enter the full path of a folder, or leave blank.',
        ),
      install: isAddress ? z.string() : limitRule('install'),
      handshake: isAddress ? z.string() : limitRule('handshake'),
      discover: isAddress ? z.string() : limitRule('discover'),
      call: limitRule('call'),
      ...protocolRules,
      values: z
        .record(z.string(), FieldValue.nullable())
        .transform((draft): FormInput => touchedValues(draft))
        .pipe(values),
      secrets: z.record(z.string(), SecretPlace.nullable()).transform(sentPlaces),
      customServer: parts
        .superRefine((typed, context) => {
          for (const { path, message } of customServerProblems(typed, storedIds))
            context.addIssue({ code: 'custom', message, path: path.split('.').slice(1) })
        })
        .transform(customServerOf)
        .optional(),
    })
    .transform(({ name, cwd, values: checked, secrets, customServer, ...options }) => ({
      name,
      cwd,
      made: customServer,
      values: sentValues(rules.fields, checked),
      secrets,
      budgets: budgetsOf(options),
      protocol: protocolOf(options),
    }))
}

/** The limits that a form shows, in order. */
export const LIMIT_NAMES = ['install', 'handshake', 'discover', 'call'] as const
export type LimitName = (typeof LIMIT_NAMES)[number]

/** Limits as typed, in seconds; empty for the value from the settings. */
type TypedLimits = Readonly<Record<LimitName, string>>

/** Each limit with its texts; the range comes from the schema. */
export const LIMITS = {
  install: {
    budget: 'installMs',
    id: 'install-limit',
    label: 'Download limit',
    hint: 'Time to download the package. Leave blank to use the limit in Settings.',
  },
  handshake: {
    budget: 'handshakeMs',
    id: 'handshake-limit',
    label: 'Handshake limit',
    hint: 'Time to answer after the start, without the download. Leave blank to use the limit in Settings.',
  },
  discover: {
    budget: 'discoverMs',
    id: 'discover-limit',
    label: 'Listing limit',
    hint: 'Time to list tools, resources, and prompts. Leave blank to use the limit in Settings.',
  },
  call: {
    budget: 'callMs',
    id: 'call-limit',
    label: 'Call limit',
    hint: 'Time a call may take without a response or progress. Leave blank to use the limit in Settings.',
  },
} as const satisfies Record<LimitName, Record<string, string> & { budget: keyof PhaseBudgets }>

/** Returns the saved limits as text for the form. */
export function typedLimits(budgets: PhaseBudgets): TypedLimits {
  const text = (name: LimitName): string => {
    const ms = budgets[LIMITS[name].budget]
    return ms === undefined ? '' : String(ms / 1000)
  }
  return Object.fromEntries(LIMIT_NAMES.map((name) => [name, text(name)])) as TypedLimits
}

/** Converts typed seconds to ms; undefined if empty, null if invalid. */
export function limitMs(name: LimitName, text: string): number | undefined | null {
  const typed = text.trim()
  if (typed === '') return undefined
  if (!/^\d{1,5}(\.\d{1,3})?$/.test(typed)) return null
  const ms = Math.round(Number(typed) * 1000)
  return PhaseBudgets.shape[LIMITS[name].budget].safeParse(ms).success ? ms : null
}

/** Returns the limits to save, without invalid ones. */
export function budgetsOf(limits: TypedLimits): PhaseBudgets {
  return Object.fromEntries(
    LIMIT_NAMES.flatMap((name) => {
      const ms = limitMs(name, limits[name])
      return ms === undefined || ms === null ? [] : [[LIMITS[name].budget, ms]]
    }),
  )
}

function limitRule(name: LimitName): z.ZodType<string, string> {
  const { minValue, maxValue } = PhaseBudgets.shape[LIMITS[name].budget].unwrap()
  const range = `from ${String((minValue ?? 0) / 1000)} to ${String((maxValue ?? 0) / 1000)}`
  return z
    .string()
    .refine((text) => limitMs(name, text) !== null, `Enter seconds ${range}, or leave blank.`)
}

/** Protocol options in the form. */
export type ProtocolChoice = {
  readonly protocolVersion: 'auto' | NonNullable<ProtocolOptions['version']>
  readonly singleWrites: boolean
}

/** Protocol versions that the form offers. */
export const PROTOCOL_VERSIONS = [
  { value: 'auto', label: 'Automatic' },
  { value: 'sessions', label: 'Sessions (2024-11-05 to 2025-11-25)' },
  { value: 'stateless', label: 'Stateless (2026-07-28)' },
] as const

const protocolRules = {
  protocolVersion: z.enum(['auto', 'sessions', 'stateless']),
  singleWrites: z.boolean(),
}

/** Returns the form value of saved options. */
export function protocolChoice({ version, singleWrites }: ProtocolOptions = {}): ProtocolChoice {
  return { protocolVersion: version ?? 'auto', singleWrites: singleWrites ?? false }
}

/** Returns the options to save for a form value. */
export function protocolOf({ protocolVersion, singleWrites }: ProtocolChoice): ProtocolOptions {
  return {
    ...(protocolVersion !== 'auto' && { version: protocolVersion }),
    ...(singleWrites && { singleWrites }),
  }
}

/** Returns a sentence for each option that differs from the default. */
export function protocolMessages({ version, singleWrites }: ProtocolOptions = {}): string[] {
  const label = PROTOCOL_VERSIONS.find(({ value }) => value === version)?.label
  return [
    ...(label === undefined ? [] : [`Protocol version: ${label}.`]),
    ...(singleWrites ? ['One message per write.'] : []),
  ]
}
