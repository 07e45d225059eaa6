import { randomUUID } from 'node:crypto'
import { stat } from 'node:fs/promises'
import { isAbsolute, resolve } from 'node:path'

import { AppError } from '../../../src-shared/domain/app-error'
import type {
  EarlierVersion,
  Versioned,
} from '../../../src-shared/domain/installation/earlier-version'
import type { Installation } from '../../../src-shared/domain/installation/installation'
import {
  type ArgumentOrigin,
  type LaunchPreview,
  SECRET_MASK,
} from '../../../src-shared/domain/installation/launch-plan'
import {
  placeAt,
  type SecretPlaces,
  valueCount,
} from '../../../src-shared/domain/installation/secret-place'
import type { FieldValues } from '../../../src-shared/domain/server-json/field-values'
import { findOffer, type Offer, type OfferRef } from '../../../src-shared/domain/server-json/offer'
import type { SavedToolChoice } from '../../../src-shared/domain/tool-choice'
import { type CarriedFields, carryOver } from '../../../src-shared/form/carry-over'
import { joinSecretList } from '../../../src-shared/form/secret-list'
import { fieldsOfOffer } from '../../../src-shared/form/to-form-fields'
import { buildLaunchPlan } from '../launch/building/build-launch-plan'
import { toPreview } from '../launch/building/launch-preview'
import type { SecretKeeper } from '../ports'
import { problemsIn } from '../secrets/find-problems'
import { readSecrets } from '../secrets/secret-keys'
import type { Draft, ReadForStart, SetUpEntry, StartKind } from './draft'
import { checkFolder, checkName, checkValues } from './draft'
import { checkRevision } from './draft'
import { EarlierVersions } from './earlier-versions'
import { RemovedInstallations } from './removed-installations'
import { changeSecrets } from './secrets/change-secrets'
import { areMoved, movedPlaces, movedSecrets, sourcesOf } from './secrets/move-secrets'
import { placeSecrets, splitSecrets } from './secrets/move-secrets'
import { StoredSecrets } from './secrets/stored-secrets'
import { aliasFor } from './store/alias'
import type { ProfileDocument } from './store/profile-document'
import { startText, UnappliedChanges } from './store/store-change'

/** A move to another version: the previous one, the next one, and the moves of secrets. */
type VersionMove = {
  readonly before: Installation
  readonly version: Partial<Installation>
  readonly moves: CarriedFields['secrets']
}

type ApplyOptions = {
  readonly asItIs?: boolean
  /** Stores the new or changed installation; in the list by default. */
  readonly keep?: (installation: Installation) => void
  readonly upgrade?: VersionMove
}

/** Creates, reads, changes and removes installations: plain values in the store, secrets in the vault. */
export class InstallationService {
  /** Changes since the start of each server. */
  readonly changes = new UnappliedChanges()
  readonly stored: StoredSecrets
  /** Removed installations that can still be put back. */
  readonly removed: RemovedInstallations
  /** Earlier versions, from before updates. */
  readonly earlier: EarlierVersions

  constructor(
    private readonly store: ProfileDocument,
    private readonly secrets: SecretKeeper,
    /** Default working folder, which is part of every approval. */
    private readonly workingFolder: string,
  ) {
    this.stored = new StoredSecrets(store, secrets, this.changes)
    this.earlier = new EarlierVersions(store, secrets)
    const { stored, changes } = this
    this.removed = new RemovedInstallations({ store, secrets, stored, changes })
  }

  get list(): readonly Installation[] {
    return this.store.installations
  }

  /** Rejects with NOT_FOUND. */
  read(installationId: string): Installation {
    return this.store.read(installationId)
  }

  /**
   * Creates an installation. Rejects with INVALID_VALUES (unless `asItIs`), NAME_TAKEN, CONSENT_REQUIRED, SECRET_STORE_FAILED or
   * SETTINGS_UNWRITABLE, and stores nothing then.
   */
  async create(
    entry: SetUpEntry,
    offer: OfferRef,
    draft: Draft,
    options: {
      readonly asItIs: boolean
      readonly enabled: boolean
      /** Whether to keep it out of the list and delete it by the next start of the app: only for a separate start. */
      readonly isAside?: boolean
      /** All tools if absent. */
      readonly toolChoice?: SavedToolChoice | undefined
    },
  ): Promise<Installation> {
    const blank: Installation = {
      installationId: randomUUID(),
      name: '',
      source: entry.source,
      sourceId: entry.sourceId,
      server: entry.server,
      proposed: entry.proposed,
      offer,
      enabled: options.enabled,
      alias: '',
      starts: 'withApp',
      toolChoice: options.toolChoice ?? { kind: 'all' },
      values: {},
      secrets: {},
      budgets: {},
      roots: [],
      createdAt: Date.now(),
    }
    return this.store.mutex(() => {
      const alias = aliasFor({ ...blank, name: draft.name }, this.store.installations)
      const { asItIs, isAside = false } = options
      const keep = isAside ? (one: Installation) => this.store.markRemoved(one) : undefined
      return this.#apply({ ...blank, alias }, draft, { asItIs, keep })
    })
  }

  /** Changes an installation. Rejects as `create` does, and with CHANGED_MEANWHILE. */
  async update(installationId: string, draft: Draft): Promise<Installation> {
    return this.store.mutex(() => {
      const old = this.read(installationId)
      checkRevision(old, draft.revision)
      return this.#apply(old, draft, {})
    })
  }

  /**
   * Moves an installation to another version of its server, with the values of `draft`. Saved secrets move with their fields (or by
   * `carried`), and the approval ends. Resolves to the earlier version, which keeps secrets without a field; if none is kept, these are
   * deleted. Rejects as `update` does.
   */
  async upgrade(
    installationId: string,
    entry: SetUpEntry,
    offer: OfferRef,
    draft: Draft,
    carried?: CarriedFields['secrets'],
  ): Promise<EarlierVersion | undefined> {
    return this.store.mutex(async () => {
      const old = this.read(installationId)
      checkRevision(old, draft.revision)
      const { source, sourceId, server, proposed } = entry
      const to = { source, sourceId, server, proposed, offer }
      const moves = carried ?? carryOver(offerOf(old), offerOf(to), old).secrets
      const version = { ...to, secrets: movedPlaces(old.secrets, moves), approvedPlan: undefined }
      const moved = { ...old, ...version, values: {} }
      const known = new Set(this.earlier.of(installationId))
      await this.#apply(moved, draft, { upgrade: { before: old, version, moves } })
      return this.earlier.of(installationId).find((one) => !known.has(one))
    })
  }

  /**
   * Restores an earlier version with its values and approval, and keeps the version that it replaces. `asksAgain`: the command isn't
   * approved. Rejects with NOT_FOUND, SECRET_STORE_FAILED or SETTINGS_UNWRITABLE and changes nothing.
   */
  async rollBack(
    installationId: string,
    versionKey: string,
  ): Promise<{ readonly left: EarlierVersion | undefined; readonly asksAgain: boolean }> {
    return this.store.mutex(async () => {
      const before = this.read(installationId)
      const left = await this.earlier.rollBack(
        before,
        this.earlier.find(installationId, versionKey),
      )
      this.changes.note(installationId, 'Restored an earlier version.')
      return { left, asksAgain: !this.isApproved(this.read(installationId)) }
    })
  }

  /** Whether the user approved exactly what would run. Throws UNSUPPORTED_PACKAGE. */
  isApproved(version: Versioned): boolean {
    return this.previewOf(version).planHash === version.approvedPlan
  }

  /** Changes members that need no review. Throws NOT_FOUND or SETTINGS_UNWRITABLE. */
  set(
    installationId: string,
    change: Partial<Pick<Installation, 'enabled' | 'viewDomains' | 'sharing'>>,
  ): void {
    this.store.save({ ...this.read(installationId), ...change })
  }

  /** Sets the folders that the server gets as roots. Rejects with NOT_FOUND, INVALID_VALUES or SETTINGS_UNWRITABLE. */
  async setRoots(installationId: string, paths: readonly string[]): Promise<void> {
    this.read(installationId)
    const roots = await grantedFolders(paths)
    await this.store.mutex(() => this.store.save({ ...this.read(installationId), roots }))
  }

  /** Returns the working folder of an offer: the user's, or its own. */
  folderOf(offer: Offer, cwd = ''): string {
    const own = offer.kind === 'package' ? offer.pkg.workingFolder : undefined
    return cwd.trim() === '' ? (own ?? this.workingFolder) : cwd.trim()
  }

  /** Returns the exact command of a version. Throws UNSUPPORTED_PACKAGE. */
  previewOf(version: Versioned): LaunchPreview {
    return this.preview(offerOf(version), version.values, version.secrets, version.cwd)
  }

  /** Returns the exact command for typed values in a folder; saved secrets count as present. */
  preview(offer: Offer, values: FieldValues, places: SecretPlaces, cwd?: string): LaunchPreview {
    const fields = fieldsOfOffer(offer)
    const split = splitSecrets(fields, values)
    const resolved = placeSecrets(fields, places, split)
    const saved = Object.entries(resolved).map(
      ([key, place]) => [key, joinSecretList(Array(valueCount(place)).fill('saved'))] as const,
    )
    const plan = buildLaunchPlan(offer, split.plain, new Map([...saved, ...split.secrets]))
    const problems = problemsIn(fields, { values, secrets: resolved }, this.store.secrets)
    return withVariableNames(toPreview(plan, problems, this.folderOf(offer, cwd)), resolved)
  }

  /**
   * Reads an installation and its secrets for a start, from one consistent save: waits for a running save. A shared start counts pending
   * changes as applied. Rejects with NOT_FOUND or SECRET_STORE_FAILED.
   */
  async readForStart(installationId: string, kind: StartKind = 'shared'): Promise<ReadForStart> {
    return this.store.mutex(async () => {
      const removed = kind === 'separate' ? this.removed.find(installationId) : undefined
      const installation = removed ?? this.read(installationId)
      if (kind === 'shared') this.changes.applied(installationId)
      const secrets = await this.readSecrets(installation)
      return { installation, secrets, keptSecrets: await this.earlier.secretsOf(installationId) }
    })
  }

  /** Reads the secrets of an installation by field. Rejects with SECRET_STORE_FAILED. */
  async readSecrets(installation: Installation): Promise<Map<string, string>> {
    return readSecrets(this.secrets, installation)
  }

  async #apply(
    old: Installation,
    draft: Draft,
    { asItIs, keep = (one) => this.store.save(one), upgrade }: ApplyOptions,
  ): Promise<Installation> {
    const fields = fieldsOfOffer(offerOf(old))
    const { installationId } = old
    const name = checkName(draft.name, installationId, this.store.installations)
    const split = splitSecrets(fields, draft.values)
    const { plain, secrets } = split
    const places = placeSecrets(fields, old.secrets, split, draft.secrets)
    const typed = { values: draft.values, secrets: places }
    if (!asItIs) checkValues(problemsIn(fields, typed, this.store.secrets))
    const cwd = checkFolder(draft.cwd)
    const change: Partial<Installation> = {
      ...upgrade?.version,
      name,
      values: plain,
      secrets: places,
      budgets: draft.budgets,
      protocol: draft.protocol ?? old.protocol,
      cwd,
    }
    if (draft.approvedPlan !== undefined) {
      const values = { ...plain, ...Object.fromEntries(secrets) }
      this.#checkApproval({ ...old, ...change, values }, draft.approvedPlan)
      change.approvedPlan = draft.approvedPlan
    }
    const before = this.store.find(installationId)
    const sources = sourcesOf(upgrade?.before ?? old, places, upgrade?.moves)
    const move = { secrets: places, sources, typed: secrets }
    if (upgrade) await this.earlier.replace({ before: upgrade.before, change, move })
    else {
      const changes = await movedSecrets(this.secrets, old, move)
      await changeSecrets(this.store, this.secrets, changes, () => {
        // Keeps switches and approvals that changed while the keychain was busy.
        keep({ ...(this.store.find(installationId) ?? old), ...change })
      })
    }
    const current = this.removed.find(installationId) ?? this.read(installationId)
    const isOther = secrets.size > 0 || areMoved(installationId, sources)
    if (before && (isOther || startText(before) !== startText(current)))
      this.changes.note(installationId, 'The configuration was changed.')
    return current
  }

  #checkApproval(installation: Installation, approvedPlan: string): void {
    if (this.previewOf(installation).planHash === approvedPlan) return
    throw new AppError('CONSENT_REQUIRED', 'The command changed since it was shown.', {
      hint: 'Review it again, then approve it.',
    })
  }
}

/** Shows the names of this computer's variables in place of their values. */
function withVariableNames(preview: LaunchPreview, places: SecretPlaces): LaunchPreview {
  const named = <T extends { readonly text: string; readonly origin: ArgumentOrigin }>(
    one: T,
  ): T => {
    const { fieldKey } = one.origin
    const place = fieldKey === undefined ? undefined : placeAt(places, fieldKey)
    return place?.kind === 'environment'
      ? { ...one, text: one.text.replace(SECRET_MASK, `$${place.name}`) }
      : one
  }
  return preview.kind === 'remote'
    ? { ...preview, url: named(preview.url), headers: preview.headers.map(named) }
    : { ...preview, args: preview.args.map(named), env: preview.env.map(named) }
}

/** Returns the offer of an installation. Throws UNSUPPORTED_PACKAGE if its entry no longer has that. */
export function offerOf({ server, offer }: Pick<Installation, 'server' | 'offer'>): Offer {
  const found = findOffer(server, offer)
  if (found) return found
  throw new AppError(
    'UNSUPPORTED_PACKAGE',
    `${server.name} has no package or remote that can run here.`,
    { hint: 'Choose another catalog entry.' },
  )
}

/** Normalizes folder paths and removes duplicates. Rejects with INVALID_VALUES for the first that isn't a folder here. */
async function grantedFolders(paths: readonly string[]): Promise<string[]> {
  const folders = await Promise.all(paths.map(grantedFolder))
  return [...new Set(folders)]
}

async function grantedFolder(path: string): Promise<string> {
  if (path.includes('\0') || !isAbsolute(path))
    throw notGranted(
      path,
      'isn’t an absolute path',
      'Enter the full path, starting at the root of the disk.',
    )
  const folder = resolve(path)
  const found = await stat(folder).catch((cause: unknown) => {
    throw notGranted(path, 'can’t be read', 'Check that the folder exists.', cause)
  })
  if (!found.isDirectory())
    throw notGranted(path, 'isn’t a folder', 'Choose the folder that contains it.')
  return folder
}

function notGranted(path: string, problem: string, hint: string, cause?: unknown): AppError {
  return new AppError('INVALID_VALUES', `Not saved: ${path.replaceAll('\0', '')} ${problem}.`, {
    hint,
    cause,
  })
}
