import * as z from 'zod'

import { Installation } from './installation'

/** Key of an earlier version of one installation. */
export const VersionKey = z.string().min(1).max(64)

/**
 * An installation before an update, as the settings file stores it. Its own secrets moved with the installation, except those without a
 * place in the next version: these are kept here.
 */
export const EarlierVersion = Installation.pick({
  installationId: true,
  source: true,
  sourceId: true,
  server: true,
  offer: true,
  proposed: true,
  values: true,
  secrets: true,
  budgets: true,
  cwd: true,
  approvedPlan: true,
}).extend({
  versionKey: VersionKey,
  /** Epoch ms. */
  replacedAt: z.number(),
})
export type EarlierVersion = z.infer<typeof EarlierVersion>

/** Everything that decides what runs: the common part of installations and earlier versions. */
export type Versioned = Pick<Installation, keyof Installation & keyof EarlierVersion>

/** An earlier version as lists show it. */
export const EarlierVersionRef = z.object({
  versionKey: VersionKey,
  version: z.string(),
  /** Epoch ms. */
  replacedAt: z.number(),
  /** Whether it keeps secrets that the current installation lacks. */
  hasSecrets: z.boolean(),
})
export type EarlierVersionRef = z.infer<typeof EarlierVersionRef>

/** An earlier version compared with the current installation. */
export const EarlierVersionView = EarlierVersionRef.extend({
  /** Its differences, in a word or two each: fields by their labels, never a value. */
  differs: z.array(z.string()),
  /** Whether its command needs approval before it runs. */
  asksAgain: z.boolean(),
})
export type EarlierVersionView = z.infer<typeof EarlierVersionView>

/** Returns an earlier version as lists show it. */
export function refOfEarlier({
  versionKey,
  server: { version },
  replacedAt,
  secrets,
}: EarlierVersion): EarlierVersionRef {
  const hasSecrets = Object.values(secrets).some(({ kind }) => kind === 'kept')
  return { versionKey, version, replacedAt, hasSecrets }
}
