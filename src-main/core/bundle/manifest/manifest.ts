import { lstat, readFile } from 'node:fs/promises'
import { basename, join } from 'node:path'

import { coerce, satisfies, validRange } from 'semver'
import * as z from 'zod'

import { AppError } from '../../../../src-shared/domain/app-error'
import {
  cleanLine,
  cleanProse,
  readGuard,
} from '../../../../src-shared/domain/server-json/tolerant-reader'
import { invalidBundle } from '../archive/bundle-error'

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
  /** Path within the bundle's folder. */
  entry_point: z.string().optional(),
  mcp_config: Command.extend({
    platform_overrides: z.record(z.string(), Command).optional(),
  }).optional(),
})

/** One `user_config` entry: an input for the user. */
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
 * The part of a bundle's manifest.json that Patchbay uses (MCPB manifest 0.1 to 0.4, formerly DXT): strict for the command, tolerant for
 * display texts.
 */
export const BundleManifest = z.object({
  name: Line.pipe(z.string().min(1).max(200)),
  display_name: OptionalLine,
  version: Line.pipe(z.string().min(1).max(100)),
  description: z.string().transform(cleanProse).catch(''),
  author: z.object({ name: Line }).optional().catch(undefined),
  homepage: OptionalLine,
  repository: z.object({ url: Line }).optional().catch(undefined),
  server: Server,
  /** Each is parsed by `Setting` alone, so that an invalid one doesn't affect the others. */
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

const NAME = 'manifest.json'
const NUL = /\0|\\u0000/

/** Reads the manifest of an unpacked bundle. Rejects with INVALID_BUNDLE. */
export async function readManifest(folder: string, limit: number): Promise<BundleManifest> {
  const file = join(folder, NAME)
  try {
    const { size } = await lstat(file)
    if (size > limit) throw invalidBundle(`The bundle’s ${NAME} is too large.`)
    return parseManifest(await readFile(file, 'utf8'))
  } catch (cause) {
    if (cause instanceof AppError) throw cause
    throw invalidBundle(`The bundle has no ${NAME} at the top level, so Patchbay can’t start it.`, {
      cause,
    })
  }
}

/** Parses a manifest. Throws INVALID_BUNDLE, naming the first problem. */
export function parseManifest(text: string): BundleManifest {
  let raw: unknown
  try {
    raw = JSON.parse(text.replace(/^\uFEFF/, ''))
  } catch (cause) {
    throw invalidBundle(`The bundle’s ${NAME} isn’t valid JSON.`, { cause })
  }
  if (NUL.test(text)) throw invalidBundle(`The bundle’s ${NAME} contains a NUL character.`)
  const parsed = BundleManifest.safeParse(raw)
  if (parsed.success) return parsed.data
  const [issue] = parsed.error.issues
  const path = issue?.path.map(String).join('.') ?? ''
  const isMissing = issue !== undefined && valueAt(raw, issue.path) === undefined
  throw invalidBundle(
    isMissing ? `“${path}” is missing in the bundle’s ${NAME}.` : faultOf(issue?.code, path),
  )
}

function faultOf(code: string | undefined, path: string): string {
  if (path === '') return `The bundle’s ${NAME} doesn’t contain an object.`
  if (code === 'too_big') return `“${path}” is too long in the bundle’s ${NAME}.`
  if (code === 'too_small') return `“${path}” is empty in the bundle’s ${NAME}.`
  return `“${path}” has the wrong type in the bundle’s ${NAME}.`
}

function valueAt(raw: unknown, path: readonly PropertyKey[]): unknown {
  return path.reduce<unknown>(
    (value, key) =>
      typeof value === 'object' && value !== null && Object.hasOwn(value, key)
        ? Reflect.get(value, key)
        : undefined,
    raw,
  )
}

/** Display names of the runtimes in a manifest. */
export const RUNTIMES: ReadonlyMap<string, string> = new Map([
  ['node', 'Node.js'],
  ['python', 'Python'],
])

const PROGRAMS: readonly (readonly [string, RegExp])[] = [
  ['node', /^node(\.exe)?$/i],
  ['python', /^(python[\d.]*|py)(\.exe)?$/i],
]

/**
 * Compares the version of a bundle's program with the manifest's requirements; `readVersion` returns a program's version. Rejects with
 * RUNNER_TOO_OLD; an unknown version passes.
 */
export async function checkRuntime(
  { compatibility }: Pick<BundleManifest, 'compatibility'>,
  command: string,
  readVersion: (command: string) => Promise<string | undefined>,
): Promise<void> {
  const [runtime] = PROGRAMS.find(([, program]) => program.test(basename(command))) ?? []
  const needed = runtime === undefined ? undefined : compatibility?.runtimes?.[runtime]
  // Python separates two bounds with a comma.
  const range = needed?.replaceAll(',', ' ')
  if (runtime === undefined || range === undefined || validRange(range) === null) return
  const version = await readVersion(command)
  const found = coerce(version)
  if (found === null || satisfies(found, range)) return
  const name = RUNTIMES.get(runtime) ?? runtime
  throw new AppError(
    'RUNNER_TOO_OLD',
    `This bundle requires ${name} ${range.slice(0, 100)}, but ${command} is ${found.version}.`,
    { hint: `Install a matching version of ${name}, then try again.` },
  )
}
