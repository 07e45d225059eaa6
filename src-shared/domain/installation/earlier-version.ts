import * as z from 'zod'

import { Installation } from './installation'

/** Names an earlier version of one installation. */
export const VersionKey = z.string().min(1).max(64)

/**
 * What an installation was before it was moved to another version, as the settings file holds it. Its own secrets went along
 * with the installation, except those that the version after it had no place for: they are kept.
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

/** What an installation and its earlier versions have in common: all that decides what runs. */
export type Versioned = Pick<Installation, keyof Installation & keyof EarlierVersion>

/** An earlier version as lists name it. */
export const EarlierVersionRef = z.object({
  versionKey: VersionKey,
  version: z.string(),
  /** Epoch ms. */
  replacedAt: z.number(),
  /** Whether secrets are kept with it that what is installed does not have. */
  hasSecrets: z.boolean(),
})
export type EarlierVersionRef = z.infer<typeof EarlierVersionRef>

/** An earlier version beside what is installed. */
export const EarlierVersionView = EarlierVersionRef.extend({
  /** What is other in it, in a word or two each; fields by their labels, never a value. */
  differs: z.array(z.string()),
  /** Whether its command has to be approved before it runs. */
  asksAgain: z.boolean(),
})
export type EarlierVersionView = z.infer<typeof EarlierVersionView>

/** How lists name it. */
export function refOfEarlier({
  versionKey,
  server: { version },
  replacedAt,
  secrets,
}: EarlierVersion): EarlierVersionRef {
  const hasSecrets = Object.values(secrets).some(({ kind }) => kind === 'kept')
  return { versionKey, version, replacedAt, hasSecrets }
}
