import * as z from 'zod'

import { PhaseBudgets } from '../../../../src-shared/domain/installation/installation'

/** The limits that a form shows, in its order. */
export const LIMIT_NAMES = ['install', 'handshake', 'discover', 'request'] as const
export type LimitName = (typeof LIMIT_NAMES)[number]

/** Limits as they are typed, in seconds; empty for the one from Settings. */
export type TypedLimits = Readonly<Record<LimitName, string>>

type Limit = {
  readonly budget: keyof PhaseBudgets
  readonly id: string
  readonly label: string
  readonly hint: string
}

/** Each limit with its words; the largest and smallest value are those of the schema. */
export const LIMITS: Readonly<Record<LimitName, Limit>> = {
  install: {
    budget: 'installMs',
    id: 'install-limit',
    label: 'Download limit',
    hint: 'How long fetching its package may take. Empty takes the limit from Settings.',
  },
  handshake: {
    budget: 'handshakeMs',
    id: 'handshake-limit',
    label: 'Handshake limit',
    hint: 'How long the server may take to answer after it was started. A download is not counted. Empty takes the limit from Settings.',
  },
  discover: {
    budget: 'discoverMs',
    id: 'discover-limit',
    label: 'Listing limit',
    hint: 'How long listing its tools, resources and prompts may take. Empty takes the limit from Settings.',
  },
  request: {
    budget: 'requestMs',
    id: 'request-limit',
    label: 'Request limit',
    hint: 'How long one call may take; a server that tells its progress gets more. Empty takes the limit from Settings.',
  },
}

/** What is saved, as text for the form. */
export function typedLimits(budgets: PhaseBudgets): TypedLimits {
  const text = (name: LimitName): string => {
    const ms = budgets[LIMITS[name].budget]
    return ms === undefined ? '' : String(ms / 1000)
  }
  return {
    install: text('install'),
    handshake: text('handshake'),
    discover: text('discover'),
    request: text('request'),
  }
}

/** Seconds as typed, in ms; undefined when empty, null when the limit cannot be so. */
export function limitMs(name: LimitName, text: string): number | undefined | null {
  const typed = text.trim()
  if (typed === '') return undefined
  if (!/^\d{1,4}(\.\d{1,3})?$/.test(typed)) return null
  const ms = Math.round(Number(typed) * 1000)
  return PhaseBudgets.shape[LIMITS[name].budget].safeParse(ms).success ? ms : null
}

/** The limits as they are saved; one that cannot be so is left out. */
export function budgetsOf(limits: TypedLimits): PhaseBudgets {
  return Object.fromEntries(
    LIMIT_NAMES.flatMap((name) => {
      const ms = limitMs(name, limits[name])
      return ms === undefined || ms === null ? [] : [[LIMITS[name].budget, ms]]
    }),
  )
}

/** What is wrong with a limit as it is typed. */
function limitProblem(name: LimitName, text: string): string | undefined {
  if (limitMs(name, text) !== null) return undefined
  const { minValue, maxValue } = PhaseBudgets.shape[LIMITS[name].budget].unwrap()
  const range = `from ${String((minValue ?? 0) / 1000)} to ${String((maxValue ?? 0) / 1000)}`
  return `Enter seconds ${range}, or leave it empty.`
}

/** A typed limit as part of a form's schema. */
export function limitRule(name: LimitName): z.ZodType<string, string> {
  return z.string().superRefine((text, context) => {
    const message = limitProblem(name, text)
    if (message !== undefined) context.addIssue({ code: 'custom', message })
  })
}
