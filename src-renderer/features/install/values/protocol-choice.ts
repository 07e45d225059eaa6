import * as z from 'zod'

import type { ProtocolOptions } from '../../../../src-shared/domain/installation/installation'

/** How Patchbay speaks with a server, as a form holds it. */
export type ProtocolChoice = {
  readonly protocolVersion: 'auto' | NonNullable<ProtocolOptions['version']>
  readonly singleWrites: boolean
}

/** The versions of the protocol, as a form offers them. */
export const PROTOCOL_VERSIONS = [
  { value: 'auto', label: 'Automatic' },
  { value: 'sessions', label: 'Sessions (2024-11-05 to 2025-11-25)' },
  { value: 'stateless', label: 'Stateless (2026-07-28)' },
] as const

/** A choice as parts of a form's schema. */
export const protocolRules = {
  protocolVersion: z.enum(['auto', 'sessions', 'stateless']),
  singleWrites: z.boolean(),
}

/** The choice that is saved. */
export function protocolChoice({ version, singleWrites }: ProtocolOptions = {}): ProtocolChoice {
  return { protocolVersion: version ?? 'auto', singleWrites: singleWrites ?? false }
}

/** A choice as it is saved. */
export function protocolOf({ protocolVersion, singleWrites }: ProtocolChoice): ProtocolOptions {
  return {
    ...(protocolVersion !== 'auto' && { version: protocolVersion }),
    ...(singleWrites && { singleWrites }),
  }
}

/** A sentence for each option that is not the usual one. */
export function protocolSentences({ version, singleWrites }: ProtocolOptions = {}): string[] {
  const label = PROTOCOL_VERSIONS.find(({ value }) => value === version)?.label
  return [
    ...(label === undefined ? [] : [`Protocol version: ${label}.`]),
    ...(singleWrites ? ['One message per write.'] : []),
  ]
}
