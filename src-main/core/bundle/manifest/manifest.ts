import * as z from 'zod'

import {
  cleanLine,
  cleanProse,
  readGuard,
} from '../../../../src-shared/domain/server-json/tolerant-reader'

/** Publishers write ports and switches without quotes. */
const Text = z.union([z.string(), z.number(), z.boolean()]).transform(String)
const Line = z.string().transform(cleanLine)
const OptionalLine = Line.optional().catch(undefined)

const Command = z.object({
  command: z.string().optional(),
  args: z.array(Text).max(400).optional(),
  env: z.record(z.string(), Text).optional(),
})

const Server = z.object({
  type: z.enum(['node', 'python', 'binary', 'uv']),
  /** Path below the folder of the bundle. */
  entry_point: z.string().optional(),
  mcp_config: Command.extend({
    platform_overrides: z.record(z.string(), Command).optional(),
  }).optional(),
})

/** One `user_config` entry: what the user is asked for. */
export const Setting = z.object({
  type: z.enum(['string', 'number', 'boolean', 'directory', 'file']),
  title: OptionalLine,
  description: z.string().transform(cleanProse).optional().catch(undefined),
  required: z.boolean().optional().catch(undefined),
  default: z
    .union([Text, z.array(Text)])
    .optional()
    .catch(undefined),
  multiple: z.boolean().optional().catch(undefined),
  sensitive: z.unknown().optional().transform(readGuard),
  min: z.number().optional().catch(undefined),
  max: z.number().optional().catch(undefined),
})
export type Setting = z.infer<typeof Setting>

/**
 * The part of a bundle's manifest.json that Patchbay uses (MCPB manifest 0.1 to 0.4, once called DXT): strict
 * in what decides the command, tolerant in what is only shown.
 */
export const BundleManifest = z.object({
  manifest_version: OptionalLine,
  dxt_version: OptionalLine,
  name: Line.pipe(z.string().min(1).max(200)),
  display_name: OptionalLine,
  version: Line.pipe(z.string().min(1).max(100)),
  description: z.string().transform(cleanProse).catch(''),
  author: z.object({ name: Line }).optional().catch(undefined),
  homepage: OptionalLine,
  repository: z.object({ url: Line }).optional().catch(undefined),
  server: Server,
  /** Each is read by `Setting` alone, so that an odd one costs no other. */
  user_config: z.record(z.string(), z.unknown()).default({}),
  compatibility: z
    .object({
      platforms: z.array(z.string()).optional().catch(undefined),
      runtimes: z.record(z.string(), z.string()).optional().catch(undefined),
    })
    .optional()
    .catch(undefined),
})
export type BundleManifest = z.infer<typeof BundleManifest>
