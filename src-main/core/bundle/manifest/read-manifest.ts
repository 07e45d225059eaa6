import { lstat, readFile } from 'node:fs/promises'
import { join } from 'node:path'

import { AppError } from '../../../../src-shared/domain/app-error'
import { invalidBundle } from '../archive/bundle-error'
import { BundleManifest } from './manifest'

const NAME = 'manifest.json'
const NUL = /\0|\\u0000/

/** The manifest of an unpacked bundle. Rejects with INVALID_BUNDLE. */
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

/** A manifest as text. Throws INVALID_BUNDLE, which names the first thing that does not fit. */
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
  const place = issue?.path.map(String).join('.') ?? ''
  const isMissing = issue !== undefined && valueAt(raw, issue.path) === undefined
  throw invalidBundle(
    isMissing ? `“${place}” is missing in the bundle’s ${NAME}.` : faultOf(issue?.code, place),
  )
}

function faultOf(code: string | undefined, place: string): string {
  if (place === '') return `The bundle’s ${NAME} doesn’t contain an object.`
  if (code === 'too_big') return `“${place}” is too long in the bundle’s ${NAME}.`
  if (code === 'too_small') return `“${place}” is empty in the bundle’s ${NAME}.`
  return `“${place}” has the wrong type in the bundle’s ${NAME}.`
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
