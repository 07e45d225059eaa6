import * as z from 'zod'

import { AppErrorShape } from '../app-error'
import { CatalogEntry } from '../catalog/catalog-entry'
import { InstallationId } from './installation'
import { LaunchPreview } from './launch-plan'

/** A problem in a text; line and column count from 1. */
export const TextProblem = z.object({
  line: z.number().int(),
  column: z.number().int(),
  message: z.string(),
})
export type TextProblem = z.infer<typeof TextProblem>

/** Something in a configuration that Patchbay ignores or interprets in its own way. */
export const ConfigurationNotice = z.object({ path: z.string(), message: z.string() })
export type ConfigurationNotice = z.infer<typeof ConfigurationNotice>

/** The user's choices for one server of a configuration; `index` is its place in the text. */
export const ServerChoice = z.object({
  index: z.number().int().nonnegative(),
  /** Ids of detected secrets that are no secrets: they stay open. */
  open: z.array(z.string().max(400)).max(500).default([]),
  /** Variables whose value is copied from Patchbay's own environment. */
  environment: z.array(z.string().max(400)).max(500).default([]),
  /** Variables that each start reads from Patchbay's own environment. */
  passed: z.array(z.string().max(400)).max(500).default([]),
  /** Names that are no variables: their placeholders stay as written. */
  asWritten: z.array(z.string().max(400)).max(500).default([]),
  /** Whether the file of variables that it names may be read. */
  envFile: z.boolean().default(false),
  /** Removes the options of its command that need a terminal. */
  withoutTerminal: z.boolean().default(false),
  /** Replaces a command that only proxies a remote server by that server. */
  asRemote: z.boolean().default(false),
  /** Hash of the plan that the user saw and approved; without it the server waits for its own review. */
  approvedPlan: z.string().max(200).optional(),
})
export type ServerChoice = z.infer<typeof ServerChoice>

/** A text of a configuration that goes to the keychain. */
export const RecognisedSecret = z.object({
  id: z.string(),
  /** Its name in the configuration: `GITHUB_TOKEN`, `--api-key`, `Authorization`. */
  label: z.string(),
  place: z.enum(['argument', 'variable', 'header', 'address']),
  /** False if the user decided that it is no secret. */
  isKept: z.boolean(),
})
export type RecognisedSecret = z.infer<typeof RecognisedSecret>

/** One server of a configuration as Patchbay would add it; secrets are masked. */
export const ConfiguredServer = z.object({
  index: z.number().int(),
  /** A unique name. */
  name: z.string(),
  /** Its name in the configuration, if that name is taken. */
  takenName: z.string().optional(),
  path: z.string(),
  /** Null if it cannot be added; `obstacle` says why. */
  preview: LaunchPreview.nullable(),
  obstacle: z.string().optional(),
  secrets: z.array(RecognisedSecret),
  /** Variables of Patchbay's own environment that it requests. */
  environment: z.array(
    z.object({
      name: z.string(),
      isThere: z.boolean(),
      isTaken: z.boolean(),
      isPassed: z.boolean(),
      isAsWritten: z.boolean(),
    }),
  ),
  /** Required values that are missing before approval. */
  toFill: z.array(z.string()),
  envFile: z
    .object({
      path: z.string(),
      /** Number of variables in the file; undefined before it is read. */
      count: z.number().int().optional(),
      problem: z.string().optional(),
    })
    .optional(),
  /** Choices that one button each sets. A warning on the same subject is also part of the preview. */
  adjustments: z.array(
    z.object({
      change: z.enum(['withoutTerminal', 'asRemote']),
      message: z.string(),
      button: z.string(),
    }),
  ),
  notices: z.array(ConfigurationNotice),
})
export type ConfiguredServer = z.infer<typeof ConfiguredServer>
export type Adjustment = ConfiguredServer['adjustments'][number]

/** How a pasted text was interpreted. */
export const ReadConfiguration = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('broken'), problems: z.array(TextProblem) }),
  /** A registry's server.json, which has a form. */
  z.object({ kind: z.literal('entry'), entry: CatalogEntry }),
  z.object({ kind: z.literal('servers'), servers: z.array(ConfiguredServer) }),
])
export type ReadConfiguration = z.infer<typeof ReadConfiguration>

/** An added server; `index` is its place in the text. */
export const AddedServer = z.object({
  installationId: InstallationId,
  name: z.string(),
  index: z.number().int(),
  /** Whether it is approved and complete, so that it starts; others stay stopped. */
  starts: z.boolean(),
})
export type AddedServer = z.infer<typeof AddedServer>

/** Result of adding. With a problem, the chosen servers from the first failure on are not added. */
export const AddedServers = z.object({
  added: z.array(AddedServer),
  problem: AppErrorShape.nullable(),
})
export type AddedServers = z.infer<typeof AddedServers>
