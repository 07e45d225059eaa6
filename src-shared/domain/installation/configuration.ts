import * as z from 'zod'

import { AppErrorShape } from '../app-error'
import { CatalogEntry } from '../catalog/catalog-entry'
import { InstallationId } from './installation'
import { LaunchPreview } from './launch-plan'

/** Something wrong in a text, both counted from 1. */
export const TextProblem = z.object({
  line: z.number().int(),
  column: z.number().int(),
  message: z.string(),
})
export type TextProblem = z.infer<typeof TextProblem>

/** Something that a configuration says and Patchbay leaves out, or reads in its own way. */
export const ConfigurationNotice = z.object({ path: z.string(), message: z.string() })
export type ConfigurationNotice = z.infer<typeof ConfigurationNotice>

/** What the user chose for one server of a configuration; `index` is its place in the text. */
export const ServerChoice = z.object({
  index: z.number().int().nonnegative(),
  /** Ids of recognised secrets that are none: they stay open. */
  open: z.array(z.string().max(400)).max(500).default([]),
  /** Variables whose value is taken from Patchbay's own environment. */
  environment: z.array(z.string().max(400)).max(500).default([]),
  /** Variables that each start reads from Patchbay's own environment. */
  passed: z.array(z.string().max(400)).max(500).default([]),
  /** Variables that are none: their placeholders stay as they are written. */
  asWritten: z.array(z.string().max(400)).max(500).default([]),
  /** The file of variables that it names may be read. */
  envFile: z.boolean().default(false),
  /** The options of its command that need a terminal are left out. */
  withoutTerminal: z.boolean().default(false),
  /** A command that only passes a remote server on is that server. */
  asRemote: z.boolean().default(false),
  /** The hash of the plan that the user saw and approved; without it the server waits for its own review. */
  approvedPlan: z.string().max(200).optional(),
})
export type ServerChoice = z.infer<typeof ServerChoice>

/** A text of a configuration that goes to the keychain. */
export const RecognisedSecret = z.object({
  id: z.string(),
  /** Where it stands: `GITHUB_TOKEN`, `--api-key`, `Authorization`. */
  label: z.string(),
  place: z.enum(['argument', 'variable', 'header', 'address']),
  /** False when the user said that it is none. */
  isKept: z.boolean(),
})
export type RecognisedSecret = z.infer<typeof RecognisedSecret>

/** One server of a configuration as Patchbay would add it; secrets are masked. */
export const ConfiguredServer = z.object({
  index: z.number().int(),
  /** A name that no other server has. */
  name: z.string(),
  /** What the configuration calls it, where that name is taken. */
  takenName: z.string().optional(),
  path: z.string(),
  /** Null when it cannot be added; `obstacle` says why. */
  preview: LaunchPreview.nullable(),
  obstacle: z.string().optional(),
  secrets: z.array(RecognisedSecret),
  /** Variables of Patchbay's own environment that it asks for. */
  environment: z.array(
    z.object({
      name: z.string(),
      isThere: z.boolean(),
      isTaken: z.boolean(),
      isPassed: z.boolean(),
      isAsWritten: z.boolean(),
    }),
  ),
  /** What has to be filled in before it can be approved. */
  toFill: z.array(z.string()),
  envFile: z
    .object({
      path: z.string(),
      /** How many variables were read; undefined before it was read. */
      count: z.number().int().optional(),
      problem: z.string().optional(),
    })
    .optional(),
  /** What one button changes about it: the choice that it sets. A warning about the same is also among those of the preview. */
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

/** What a pasted text is. */
export const ReadConfiguration = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('broken'), problems: z.array(TextProblem) }),
  /** A server.json of a registry, which has a form. */
  z.object({ kind: z.literal('entry'), entry: CatalogEntry }),
  z.object({ kind: z.literal('servers'), servers: z.array(ConfiguredServer) }),
])
export type ReadConfiguration = z.infer<typeof ReadConfiguration>

/** A server that was added; `index` is its place in the text. */
export const AddedServer = z.object({
  installationId: InstallationId,
  name: z.string(),
  index: z.number().int(),
  /** Approved and complete, so that it starts; the others are stopped. */
  starts: z.boolean(),
})
export type AddedServer = z.infer<typeof AddedServer>

/** What came of adding: with a problem, the chosen servers from the first that failed on are not added. */
export const AddedServers = z.object({
  added: z.array(AddedServer),
  problem: AppErrorShape.nullable(),
})
export type AddedServers = z.infer<typeof AddedServers>
