import { createHash, createPublicKey, type KeyObject, verify } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import { pipeline } from 'node:stream/promises'

import semver from 'semver'
import { parse } from 'yaml'
import * as z from 'zod'

import { AppError } from '../../../src-shared/domain/app-error'

const MAX_NOTES = 20_000

/** Content of electron-builder's `latest*.yml`. */
const UpdateManifest = z.object({
  version: z.string().refine((version) => semver.valid(version) === version),
  files: z
    .array(
      z.object({
        url: z.string(),
        /** Hash of the file, in base64. */
        sha512: z.string().length(88),
        /** In bytes. */
        size: z.int().positive(),
      }),
    )
    .min(1),
  releaseNotes: z.string().nullish(),
})
export type UpdateManifest = z.infer<typeof UpdateManifest>

/** A fetched manifest with its detached signature. */
export type SignedManifest = {
  readonly bytes: Uint8Array
  /** Ed25519 signature of the bytes, in base64. */
  readonly signature: string
}

/** Reads a public key in base64 (SPKI, DER). Throws if invalid. */
export function readReleaseKey(text: string): KeyObject {
  const key = createPublicKey({ key: Buffer.from(text, 'base64'), format: 'der', type: 'spki' })
  if (key.asymmetricKeyType !== 'ed25519') throw new Error('The release key is not Ed25519.')
  return key
}

/**
 * Returns the manifest if the release key signed it and its version is not older than `version`. Throws UPDATE_REJECTED. The signature is
 * verified before anything is parsed.
 */
export function verifyManifest(
  { bytes, signature }: SignedManifest,
  key: KeyObject,
  version: string,
): UpdateManifest {
  if (!verify(null, bytes, key, Buffer.from(signature.trim(), 'base64')))
    throw rejected('The update isn’t signed with Patchbay’s release key.')
  const manifest = readManifest(bytes)
  if (semver.lt(manifest.version, version))
    throw rejected(
      `The offered version ${manifest.version} is older than the installed version ${version}.`,
    )
  return manifest
}

/** Resolves if a file has the size and SHA-512 of one in the manifest. Rejects with UPDATE_REJECTED. */
export async function verifyDownload(file: string, { files }: UpdateManifest): Promise<void> {
  const { size } = await stat(file).catch((cause: unknown) => {
    throw rejected('The downloaded update is missing.', cause)
  })
  const hash = createHash('sha512')
  await pipeline(createReadStream(file), hash)
  const sha512 = hash.digest('base64')
  if (files.some((one) => one.sha512 === sha512 && one.size === size)) return
  const isCut = files.every((one) => size < one.size)
  throw rejected(
    isCut
      ? 'The downloaded update is incomplete.'
      : 'The downloaded update doesn’t match the released file.',
  )
}

/** An update that must not be installed. */
export function rejected(message: string, cause?: unknown): AppError {
  const hint = 'Nothing was installed. Try again later.'
  return new AppError('UPDATE_REJECTED', message, { hint, cause })
}

function readManifest(bytes: Uint8Array): UpdateManifest {
  try {
    const raw: unknown = parse(Buffer.from(bytes).toString('utf8'), { maxAliasCount: 0 })
    const manifest = UpdateManifest.parse(raw)
    return { ...manifest, releaseNotes: manifest.releaseNotes?.slice(0, MAX_NOTES) }
  } catch (cause) {
    throw rejected('The update’s manifest can’t be read.', cause)
  }
}
