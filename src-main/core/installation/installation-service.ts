import { randomUUID } from 'node:crypto'
import { isAbsolute } from 'node:path'

import pLimit from 'p-limit'

import { AppError } from '../../../src-shared/domain/app-error'
import type { CatalogEntry } from '../../../src-shared/domain/catalog-entry'
import type { FieldValues } from '../../../src-shared/domain/field-values'
import type { Installation, PhaseBudgets } from '../../../src-shared/domain/installation'
import type { LaunchPreview } from '../../../src-shared/domain/launch-plan'
import { findOffer, type Offer, type OfferRef } from '../../../src-shared/domain/offer'
import type { FormField } from '../../../src-shared/form/form-field'
import { findProblems } from '../../../src-shared/form/form-schema'
import { fieldsOfOffer } from '../../../src-shared/form/to-form-fields'
import { buildLaunchPlan } from '../launch/build-launch-plan'
import { toPreview } from '../launch/launch-preview'
import type { SecretBackend } from '../ports'
import { changeSecrets } from './change-secrets'
import type { InstallationStore } from './installation-store'
import { splitSecrets } from './split-secrets'

/** What the person typed about one installation. */
export type Draft = {
  readonly name: string
  readonly values: FieldValues
  readonly budgets: PhaseBudgets
  /** Absolute folder to run in; empty or missing for the home folder. */
  readonly cwd?: string | undefined
  /** The hash of the preview that the person approved. */
  readonly approvedPlan?: string | undefined
}

/** Creates, reads, changes and removes installations; plain values to the store, secrets to the vault. */
export class InstallationService {
  /** One change at a time: they wait for the keychain half-way. */
  readonly #lane = pLimit(1)

  constructor(
    private readonly store: InstallationStore,
    private readonly secrets: SecretBackend,
    /** Where a server runs that names no folder of its own: part of what a person approves. */
    private readonly workingFolder: string,
  ) {}

  /** Rejects with NOT_FOUND. */
  read(installationId: string): Installation {
    const found = this.store.find(installationId)
    if (found) return found
    throw new AppError('NOT_FOUND', 'This server is no longer in the list.', {
      hint: 'It may have been removed in another window.',
    })
  }

  /** Rejects with INVALID_VALUES (unless `asItIs`), NAME_TAKEN, CONSENT_REQUIRED, SECRET_STORE_FAILED or SETTINGS_UNWRITABLE; nothing is kept then. */
  async create(
    entry: CatalogEntry,
    offer: OfferRef,
    draft: Draft,
    options: { readonly asItIs: boolean; readonly enabled: boolean },
  ): Promise<Installation> {
    const blank: Installation = {
      installationId: randomUUID(),
      name: '',
      source: entry.source,
      server: entry.server,
      offer,
      enabled: options.enabled,
      values: {},
      secretKeys: [],
      budgets: {},
      createdAt: Date.now(),
    }
    return this.#lane(() => this.#apply(blank, draft, options.asItIs))
  }

  /** Rejects as `create` does. */
  async update(installationId: string, draft: Draft): Promise<Installation> {
    return this.#lane(() => this.#apply(this.read(installationId), draft, false))
  }

  /** Rejects with CONSENT_REQUIRED when the plan is no longer the one that was shown. */
  approve(installationId: string, approvedPlan: string): void {
    const installation = this.read(installationId)
    this.#checkApproval(installation, {}, approvedPlan)
    this.store.save({ ...installation, approvedPlan })
  }

  setEnabled(installationId: string, enabled: boolean): void {
    this.store.save({ ...this.read(installationId), enabled })
  }

  /** Rejects with NOT_FOUND, SECRET_STORE_FAILED or SETTINGS_UNWRITABLE; all is as it was then. */
  async remove(installationId: string, deleteSecrets: boolean): Promise<void> {
    await this.#lane(async () => {
      const { secretKeys } = this.read(installationId)
      const deleted = deleteSecrets ? secretKeys : []
      const changes = new Map(deleted.map((key) => [secretName(installationId, key), null]))
      await changeSecrets(this.secrets, changes, () => this.store.remove(installationId))
    })
  }

  /** The folder that an installation runs in. */
  folderOf({ cwd }: Pick<Installation, 'cwd'>): string {
    return cwd === undefined || cwd.trim() === '' ? this.workingFolder : cwd.trim()
  }

  /** The exact command for typed values in a folder; saved secrets count as present. */
  preview(
    offer: Offer,
    values: FieldValues,
    savedSecrets: readonly string[],
    cwd?: string,
  ): LaunchPreview {
    const fields = fieldsOfOffer(offer)
    const { plain, secrets, cleared } = splitSecrets(fields, values)
    const kept = savedSecrets.filter((key) => !cleared.includes(key) && !secrets.has(key))
    const shown = new Map([...kept.map((key) => [key, 'saved'] as const), ...secrets])
    const plan = buildLaunchPlan(offer, plain, shown)
    return toPreview(plan, findProblems(fields, values, kept), this.folderOf({ cwd }))
  }

  /** The values of an installation with its secrets, for a start. Rejects with SECRET_MISSING. */
  async readSecrets(installation: Installation): Promise<Map<string, string>> {
    const found = new Map<string, string>()
    for (const key of installation.secretKeys) {
      const value = await this.secrets.get(secretName(installation.installationId, key))
      if (value !== null) found.set(key, value)
    }
    return found
  }

  async #apply(old: Installation, draft: Draft, asItIs: boolean): Promise<Installation> {
    const fields = fieldsOfOffer(offerOf(old))
    const name = this.#checkName(draft.name, old.installationId)
    const { plain, secrets, cleared } = splitSecrets(fields, draft.values)
    const kept = old.secretKeys.filter((key) => !cleared.includes(key))
    if (!asItIs) checkValues(fields, draft.values, kept)
    const cwd = checkFolder(draft.cwd)
    const change: Partial<Installation> = {
      name,
      values: plain,
      secretKeys: [...new Set([...kept, ...secrets.keys()])],
      budgets: draft.budgets,
      cwd,
    }
    if (draft.approvedPlan !== undefined) {
      const typed = Object.fromEntries(secrets)
      this.#checkApproval({ ...old, ...change }, typed, draft.approvedPlan)
      change.approvedPlan = draft.approvedPlan
    }
    const { installationId } = old
    const changes = new Map<string, string | null>([
      ...[...secrets].map(([key, value]) => [secretName(installationId, key), value] as const),
      ...cleared.map((key) => [secretName(installationId, key), null] as const),
    ])
    await changeSecrets(this.secrets, changes, () => {
      // What was switched on or approved while the keychain was asked stays so.
      this.store.save({ ...(this.store.find(installationId) ?? old), ...change })
    })
    return this.read(installationId)
  }

  #checkName(wanted: string, installationId: string): string {
    const name = wanted.trim()
    if (name === '') {
      throw new AppError('INVALID_VALUES', 'The server has no name.', { hint: 'Give it a name.' })
    }
    const isTaken = this.store.installations.some(
      (one) =>
        one.installationId !== installationId && one.name.toLowerCase() === name.toLowerCase(),
    )
    if (isTaken) {
      throw new AppError('NAME_TAKEN', `There is a server called ${name} already.`, {
        hint: 'Give this one another name.',
      })
    }
    return name
  }

  #checkApproval(installation: Installation, typed: FieldValues, approvedPlan: string): void {
    const values = { ...installation.values, ...typed }
    const { planHash: hash } = this.preview(
      offerOf(installation),
      values,
      installation.secretKeys,
      installation.cwd,
    )
    if (hash === approvedPlan) return
    throw new AppError('CONSENT_REQUIRED', 'The command changed since it was shown.', {
      hint: 'Look at it again, then approve it.',
    })
  }
}

/** The key of one secret in the keychain. */
export function secretName(installationId: string, fieldKey: string): string {
  return `${installationId}/${fieldKey}`
}

/** What an installation runs or connects to. Throws UNSUPPORTED_PACKAGE when its entry no longer has that. */
export function offerOf({ server, offer }: Pick<Installation, 'server' | 'offer'>): Offer {
  const found = findOffer(server, offer)
  if (found) return found
  throw new AppError('UNSUPPORTED_PACKAGE', `${server.name} has nothing to run here.`, {
    hint: 'Choose another entry of the catalog.',
  })
}

/** A relative folder would mean another place for each way in. */
function checkFolder(cwd: string | undefined): string | undefined {
  const folder = cwd?.trim() ?? ''
  if (folder === '') return undefined
  if (isAbsolute(folder) && !folder.includes('\0')) return folder
  throw new AppError(
    'INVALID_VALUES',
    `Not saved. The folder to run in is no full path: ${folder}`,
    {
      hint: 'Type the path from the root of the disk, or leave it empty for the home folder.',
    },
  )
}

function checkValues(
  fields: readonly FormField[],
  values: FieldValues,
  kept: readonly string[],
): void {
  const problems = findProblems(fields, values, kept)
  if (problems.length === 0) return
  const text = problems.map((problem) => `${problem.label}: ${problem.message}`).join(' ')
  throw new AppError('INVALID_VALUES', `Not saved. ${text}`, {
    hint: 'Mend the fields, then save again.',
  })
}
