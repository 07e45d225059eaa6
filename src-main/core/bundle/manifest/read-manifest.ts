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
    if (size > limit) throw invalidBundle(`The bundle's ${NAME} is larger than a manifest may be.`)
    return parseManifest(await readFile(file, 'utf8'))
  } catch (cause) {
    if (cause instanceof AppError) throw cause
    throw invalidBundle(`The bundle has no ${NAME} at its top, so nothing says how to start it.`, {
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
    const said = cause instanceof Error ? cause.message : String(cause)
    throw invalidBundle(`The bundle's ${NAME} is no JSON: ${said}.`, { cause })
  }
  if (NUL.test(text)) throw invalidBundle(`The bundle's ${NAME} has a NUL character in it.`)
  const parsed = BundleManifest.safeParse(raw)
  if (parsed.success) return parsed.data
  const [issue] = parsed.error.issues
  const place = issue?.path.map(String).join('.') ?? ''
  const fault = `${place === '' ? '' : `${place}: `}${issue?.message ?? 'it has another shape'}`
  throw invalidBundle(`The bundle's ${NAME} cannot be used: ${fault}.`)
}
