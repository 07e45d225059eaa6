import * as z from 'zod'

import { PhaseBudgets } from '../../../../src-shared/domain/installation/installation'

/** The limits that a form shows, in its order. */
export const LIMIT_NAMES = ['install', 'handshake', 'discover', 'call'] as const
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
    call: text('call'),
  }
}

/** Seconds as typed, in ms; undefined when empty, null when the limit cannot be so. */
export function limitMs(name: LimitName, text: string): number | undefined | null {
  const typed = text.trim()
  if (typed === '') return undefined
  if (!/^\d{1,5}(\.\d{1,3})?$/.test(typed)) return null
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
  return `Enter seconds ${range}, or leave blank.`
}

/** A typed limit as part of a form's schema. */
export function limitRule(name: LimitName): z.ZodType<string, string> {
  return z.string().superRefine((text, context) => {
    const message = limitProblem(name, text)
    if (message !== undefined) context.addIssue({ code: 'custom', message })
  })
}
