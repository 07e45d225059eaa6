import { createHash } from 'node:crypto'
import { existsSync, statSync } from 'node:fs'
import { chmod } from 'node:fs/promises'
import { homedir } from 'node:os'
import { relative, resolve } from 'node:path'

import pLimit from 'p-limit'

import { AppError } from '../../../src-shared/domain/app-error'
import type { CatalogEntry } from '../../../src-shared/domain/catalog/catalog-entry'
import type { BundleProgress, OpenedBundle } from '../../../src-shared/domain/installation/bundle'
import type { FieldValues } from '../../../src-shared/domain/server-json/field-values'
import type { Package, ServerJson } from '../../../src-shared/domain/server-json/server-json'
import { cleanLine } from '../../../src-shared/domain/server-json/tolerant-reader'
import { toFormFields } from '../../../src-shared/form/to-form-fields'
import type { Catalog } from '../catalog/catalog'
import {
  cancelledBundle,
  DEFAULT_BUNDLE_LIMITS as LIMITS,
  invalidBundle,
} from './archive/bundle-error'
import { cutSignature, fetchBundle } from './archive/fetch-bundle'
import { copyBundle, type SavedBundle, typedPath } from './archive/save-bundle'
import { isInside, isOnPath } from './bundle-command'
import type { BundleFolder, BundleMark } from './bundle-folder'
import { type BundlePackage, toBundlePackage } from './bundle-package'
import { type BundleManifest, checkRuntime, readManifest } from './manifest/manifest'

export type BundleOpenerOptions = {
  readonly bundles: BundleFolder
  readonly catalog: Pick<Catalog, 'keep'>
  /** Returns the version that a program reports; undefined if unknown. */
  readonly versionOf: (command: string) => Promise<string | undefined>
  /** Whether an address may be requested; https only if absent. */
  readonly mayFetch?: ((address: URL) => boolean) | undefined
  readonly fetch?: typeof globalThis.fetch | undefined
}

/** A catalog entry's package that is a bundle. */
export type BundleOffer = { readonly entry: CatalogEntry; readonly pkg: Package }

/** Facts about an opened bundle. */
export type BundleFacts = Omit<OpenedBundle, 'installed'>

type Opening = { readonly end: AbortController; progress: BundleProgress }
type Report = (progress: BundleProgress) => void
type Source = {
  readonly save: (file: string, report: Report, signal: AbortSignal) => Promise<SavedBundle>
  readonly offer?: BundleOffer
}

type Unpacking = Pick<Source, 'offer'> & { readonly report: Report; readonly signal: AbortSignal }

/** Concurrency limit: more would share one connection and one disk. */
const AT_ONCE = 2
/** Queue limit; a page opens one bundle. */
const MAX_OPENINGS = 20

/** Opens bundles: fetches or copies the file, checks its hash, unpacks it and builds a catalog entry. */
export class BundleOpener implements Disposable {
  readonly #openings = new Map<string, Opening>()
  readonly #queue = pLimit(AT_ONCE)

  constructor(private readonly options: BundleOpenerOptions) {}

  /**
   * Downloads the bundle of a package and opens it. Rejects with INVALID_BUNDLE, INSTALL_FAILED, UNSUPPORTED_PACKAGE, RUNNER_TOO_OLD or
   * REQUEST_CANCELLED.
   */
  async openOffer(openingId: string, offer: BundleOffer): Promise<BundleFacts> {
    const expected = expectedHash(offer.pkg)
    return this.#open(openingId, {
      offer,
      save: async (file, report, signal) => {
        const saved = await fetchBundle(offer.pkg.identifier, file, {
          limits: LIMITS,
          signal,
          mayFetch: this.options.mayFetch,
          fetch: this.options.fetch,
          onProgress: (received, total) => report({ kind: 'reading', received, total }),
        })
        if (saved.sha256 !== expected)
          throw invalidBundle(
            `The downloaded file doesn’t match the entry, so it was not opened. Expected SHA-256 ${expected}, received ${saved.sha256}.`,
            {
              hint: 'The file was replaced after publication, or changed on the way. Report this to the publisher.',
            },
          )
        return saved
      },
    })
  }

  /** Opens a local bundle by its typed path. Rejects as `openOffer` does, or with NOT_FOUND. */
  async openFile(openingId: string, text: string): Promise<BundleFacts> {
    const path = typedPath(text, homedir())
    return this.#open(openingId, {
      save: (file, report, signal) => {
        let total: number | undefined
        return copyBundle(path, file, {
          limit: LIMITS.fileBytes,
          signal,
          onTotal: (bytes) => (total = bytes),
          onBytes: (received) => report({ kind: 'reading', received, total }),
        })
      },
    })
  }

  /** Returns the progress of an opening; null after its end. */
  progress(openingId: string): BundleProgress | null {
    return this.#openings.get(openingId)?.progress ?? null
  }

  cancel(openingId: string): void {
    this.#openings.get(openingId)?.end.abort(cancelledBundle())
  }

  [Symbol.dispose](): void {
    for (const openingId of this.#openings.keys()) this.cancel(openingId)
  }

  async #open(openingId: string, source: Source): Promise<BundleFacts> {
    if (this.#openings.has(openingId) || this.#openings.size >= MAX_OPENINGS)
      throw new AppError('INVALID_REQUEST', 'Too many bundles are being opened at the same time.', {
        hint: 'Wait until one is done, or cancel one.',
      })
    const opening: Opening = { end: new AbortController(), progress: { kind: 'waiting' } }
    this.#openings.set(openingId, opening)
    const { signal } = opening.end
    const report: Report = (progress) => (opening.progress = progress)
    const turn = Promise.withResolvers<never>()
    // A queued opening ends immediately, a running one after its cleanup.
    signal.addEventListener('abort', () => {
      if (opening.progress.kind === 'waiting') turn.reject(cancelledBundle())
    })
    const work = this.#queue(() => {
      signal.throwIfAborted()
      report({ kind: 'reading', received: 0 })
      return this.options.bundles.withFile(async (file) => {
        const saved = await source.save(file, report, signal)
        return this.#unpack(file, saved, { ...source, report, signal })
      })
    })
    try {
      return await Promise.race([work, turn.promise])
    } finally {
      this.#openings.delete(openingId)
    }
  }

  async #unpack(
    file: string,
    { sha256, bytes: fileBytes }: SavedBundle,
    { report, signal, offer }: Unpacking,
  ): Promise<BundleFacts> {
    const { bundles, catalog } = this.options
    await cutSignature(file)
    const mark = await bundles.ensure(sha256, async (folder) => {
      signal.throwIfAborted()
      // Most runs open no bundle, so the archive reader is loaded lazily.
      const { unpackBundle } = await import('./archive/unpack-bundle')
      const unpacked = await unpackBundle(file, folder, {
        limits: LIMITS,
        platform: process.platform,
        signal,
        onFile: (files, total) => report({ kind: 'unpacking', files, total }),
      })
      const manifest = await readManifest(folder, LIMITS.manifestBytes)
      // Checked before keeping it: a bundle that can't run here leaves nothing.
      const { pkg } = await this.#describe(manifest, folder, sha256, offer)
      const needs = requiredFiles(manifest, pkg, folder)
      await makeExecutable(manifest, pkg, folder)
      return { ...unpacked, needs }
    })
    const folder = bundles.folderOf(sha256)
    const manifest = await readManifest(folder, LIMITS.manifestBytes)
    const described = await this.#describe(manifest, folder, sha256, offer)
    const entry = toBundleEntry(manifest, described, sha256, offer?.entry)
    catalog.keep(entry)
    const { name, title = name, description, version } = entry.server
    return {
      ...{ entryId: entry.entryId, title, name, version, description },
      author: manifest.author?.name,
      ...{ sha256, isVerified: offer !== undefined, fileBytes },
      ...{ files: mark.files, bytes: mark.bytes },
      notices: [...described.notices, ...twinNotices(mark)],
    }
  }

  /** Rejects if the manifest excludes this computer. */
  async #describe(
    manifest: BundleManifest,
    folder: string,
    sha256: string,
    offer: BundleOffer | undefined,
  ): Promise<BundlePackage> {
    const { versionOf } = this.options
    const context = { folder, home: homedir(), platform: process.platform, sha256, isFile }
    const described = toBundlePackage(manifest, context, offer?.pkg)
    const { identifier } = described.pkg
    // Nothing of a bundle runs before its approval, not even to report its version.
    if (isOnPath(identifier)) await checkRuntime(manifest, identifier, versionOf)
    return described
  }
}

function twinNotices({ twins }: BundleMark): string[] {
  if (twins === undefined) return []
  const [one, other] = twins.map((name) => JSON.stringify(cleanLine(name.slice(0, 120))))
  return [
    `The names ${one} and ${other} differ only in case or accents. macOS and Windows can’t store both files.`,
  ]
}

/** Returns the hash that a registry requires for every bundle. */
function expectedHash({ fileSha256, identifier }: Package): string {
  const hash = fileSha256?.trim().toLowerCase() ?? ''
  if (/^[0-9a-f]{64}$/.test(hash)) return hash
  throw invalidBundle(
    `The entry has no valid fileSha256: ${JSON.stringify(fileSha256 ?? '')} is not 64 hexadecimal digits. Nothing was downloaded from ${identifier.slice(0, 200)}.`,
  )
}

function isFile(path: string): boolean {
  return existsSync(path) && statSync(path).isFile()
}

/** Returns the files without which the server can't start. */
function requiredFiles(
  { server }: BundleManifest,
  { identifier, isUvProject }: Package,
  folder: string,
): string[] {
  const context = { folder, home: '', platform: process.platform }
  const files = [
    ...(server.entry_point === undefined ? [] : [resolve(folder, server.entry_point)]),
    ...(isUvProject === true ? [resolve(folder, 'pyproject.toml')] : []),
    identifier,
  ].filter((file) => isInside(file, context) && isFile(file))
  return ['manifest.json', ...new Set(files.map((file) => relative(folder, file)))]
}

/** Archives from Windows don't mark programs. */
async function makeExecutable(
  { server }: BundleManifest,
  { identifier }: Package,
  folder: string,
): Promise<void> {
  const context = { folder, home: '', platform: process.platform }
  if (server.type === 'binary' && isInside(identifier, context)) await chmod(identifier, 0o700)
}

/**
 * Converts an unpacked bundle to an entry with the bundle as its only package. A bundle from an entry keeps that entry's name, version and
 * source; a file's manifest names itself.
 */
function toBundleEntry(
  manifest: BundleManifest,
  { pkg, several }: BundlePackage,
  sha256: string,
  origin: CatalogEntry | undefined,
): CatalogEntry {
  const fields = toFormFields(pkg)
  const proposed: FieldValues = Object.fromEntries(
    fields.flatMap(({ key, sharedAs }) => {
      const entries = sharedAs === undefined ? undefined : several.get(sharedAs)
      return entries === undefined ? [] : [[key, [...entries]]]
    }),
  )
  return {
    entryId: entryIdOf(sha256, origin),
    source: origin?.source ?? 'bundle',
    sourceId: origin?.sourceId,
    server: {
      ...(origin
        ? { ...origin.server, title: origin.server.title ?? titleOf(manifest) }
        : ownEntry(manifest)),
      packages: [pkg],
      remotes: [],
    },
    status: origin?.status ?? 'active',
    publishedAt: origin?.publishedAt,
    notices: origin?.notices ?? [],
    proposed,
  }
}

function entryIdOf(sha256: string, origin: CatalogEntry | undefined): string {
  if (origin === undefined) return `bundle:${sha256}`
  const from = createHash('sha256').update(origin.entryId).digest('hex').slice(0, 16)
  return `bundle:${sha256}:${from}`
}

function ownEntry(manifest: BundleManifest): ServerJson {
  const { name, description, version, homepage, repository } = manifest
  return {
    ...{ name, title: titleOf(manifest), description, version, websiteUrl: homepage },
    repository: repository && { url: repository.url },
    ...{ packages: [], remotes: [] },
  }
}

function titleOf({ display_name: title }: BundleManifest): string | undefined {
  return title === '' ? undefined : title
}
