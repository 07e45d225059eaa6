import { lstat, readFile } from 'node:fs/promises'
import { join } from 'node:path'

import { AppError } from '../../../../src-shared/domain/app-error'
import { invalidBundle } from '../archive/bundle-error'
import { BundleManifest } from './manifest'

const NAME = 'manifest.json'
const OTHER_KIND = 'has the wrong type'
const FAULTS: ReadonlyMap<string | undefined, string> = new Map([
  ['too_big', 'is too long'],
  ['too_small', 'is empty'],
])
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
  const fault = isMissing ? 'is missing' : (FAULTS.get(issue?.code) ?? OTHER_KIND)
  const what = place === '' ? 'the whole file' : `"${place}"`
  throw invalidBundle(`The bundle’s ${NAME} is invalid: ${what} ${fault}.`)
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
