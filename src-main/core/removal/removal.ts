import { AppError } from '../../../src-shared/domain/app-error'
import type {
  RemovalItem,
  RemovalList,
  RemovalOutcome,
} from '../../../src-shared/domain/state/removal'
import { messageOf } from '../failure/describe-failure'
import { withTimeLimit } from '../lifecycle/time-limit'
import type { OwnSecret } from '../secrets/own-secrets'
import {
  entriesThatStay,
  type HostFiles,
  itemsOfEntries,
  type PartOutcome,
  reasonOf,
  type RemainingItem,
  removeEntries,
} from './own-entries'
import type { OwnName } from './own-names'
import type { OwnPaths, ProfileContents, ProfileFolder } from './profile-folder'
import type { ProfileSecrets } from './profile-secrets'
import type { RequestGate } from './request-gate'

type Stays = RemovalList['stays']

const ALWAYS: Stays = [
  {
    label: 'Downloaded packages and images',
    reason:
      'Other programs also use the caches of npm, uv, .NET, Docker, and Podman. Clear them there.',
  },
  {
    label: 'Data created by servers',
    reason: 'Patchbay doesn’t know which files, volumes, and accounts servers created.',
  },
  {
    label: 'Data in AI apps',
    reason: 'Their own history may contain tool names and results. Delete it there.',
  },
  { label: 'The Patchbay app', reason: 'Uninstall it the way you installed it.' },
]

/** Time limit for running requests; longer ones end when their servers stop. */
const REQUESTS_MS = 5_000
/** Longer than the 6 s in which all servers stop. */
const CLOSE_MS = 15_000

export type RemovalParts = {
  readonly apps: HostFiles
  readonly secrets: ProfileSecrets
  readonly folder: ProfileFolder
  /** Gate for the windows' requests, which the removal shuts. */
  readonly gate: RequestGate
  readonly wayIn: 'desktop' | 'browser'
  /** Stops everything that runs or writes; may be called repeatedly. */
  readonly close: () => Promise<void>
}

/** Removes everything that Patchbay created on this computer. */
export class Removal {
  #running: Promise<RemovalOutcome> | undefined
  /** Labels of what earlier attempts removed. */
  readonly #removed = new Set<string>()

  constructor(private readonly parts: RemovalParts) {}

  /**
   * Lists everything there is to remove, without changing anything. Rejects with SECRET_STORE_FAILED, or with the system's error if the
   * profile folder can't be read.
   */
  async read(): Promise<RemovalList> {
    const { apps, secrets, folder } = this.parts
    await apps.refresh()
    const [{ own, others }, contents] = await Promise.all([secrets.read(), folder.read()])
    const secretItems = own.map(({ label, keys }): RemovalItem => ({
      ...{ itemId: `secret:${keys[0] ?? ''}`, kind: 'secret' },
      ...{ label, place: keys[0] ?? '' },
    }))
    return {
      items: [...itemsOfEntries(apps), ...secretItems, ...contents.own.map(itemOf)],
      stays: this.#listRetained(contents, own, others),
    }
  }

  /** Stops and removes everything; a later call retries what was left. Never rejects: the outcome names what is left. */
  remove(): Promise<RemovalOutcome> {
    this.#running ??= this.#remove().finally(() => (this.#running = undefined))
    return this.#running
  }

  /** Throws INVALID_REQUEST if the removal isn't done. */
  checkDone(): void {
    if (!this.parts.gate.isClosed || this.#running)
      throw new AppError('INVALID_REQUEST', 'Nothing was removed.')
  }

  /** Settles when no removal is running; never rejects. */
  async settled(): Promise<void> {
    await this.#running
  }

  /** Deletes the profile folder if everything in it was removed. Call after its lock is released. Never rejects. */
  async finish(): Promise<void> {
    if (this.parts.gate.isClosed) await this.parts.folder.finish()
  }

  /** Lists what Patchbay didn't create or can't remove, with reasons. */
  #listRetained(
    { links, foreign }: ProfileContents,
    own: readonly OwnSecret[],
    others: number,
  ): Stays {
    const { apps, secrets, folder, wayIn } = this.parts
    const { noKeychain } = secrets
    const stays: [boolean, label: string, reason: string][] = [
      [
        noKeychain !== undefined,
        'Keychain secrets of earlier runs',
        `${noKeychain ?? ''} Secrets saved earlier can’t be found after the profile is removed.`,
      ],
      [
        others > 0,
        `Other Patchbay secrets in the keychain: ${String(others)}`,
        'These belong to another or a deleted profile. Find them under “Patchbay” in the system’s keychain.',
      ],
      [
        own.some(({ keys }) => keys[0]?.startsWith('sign-in/')),
        'Sign-ins on remote servers',
        'The tokens are deleted here but may work until they expire. Revoke Patchbay’s access in your account there.',
      ],
      [
        wayIn === 'desktop',
        'Some window files',
        `Electron writes them when it quits. Then delete ${folder.path} if it still exists.`,
      ],
    ]
    return [
      ...entriesThatStay(apps),
      ...stays.flatMap(([applies, label, reason]) => (applies ? [{ label, reason }] : [])),
      ...links.map(({ path, to }) => ({
        label: to,
        reason: `${path} is a link. Only the link is deleted, not its target.`,
      })),
      ...foreign.map((path) => ({ label: path, reason: 'Not created by Patchbay.' })),
      ...ALWAYS,
    ]
  }

  /** App files come first, because they lead here; the profile comes last, because its records describe the rest if this run ends early. */
  async #remove(): Promise<RemovalOutcome> {
    const { gate, apps, secrets } = this.parts
    await gate.close(REQUESTS_MS)
    const hosts = await removeEntries(apps)
    // A failure is reported when the files are deleted.
    const { own } = await this.parts.folder.read().catch(() => ({ own: [] }))
    const closing = await this.#close()
    const keychain = await secrets.remove(hosts.owes)
    const files = await this.#removeFiles({
      hosts: hosts.left.length > 0,
      switchedOff: hosts.owes,
      secrets: keychain.left.length > 0,
    })
    const leftLabels = new Set(files.left.map(({ label }) => label))
    // Some files are deleted together with their writer.
    const gone = {
      removed: own.map((one) => one.own.label).filter((label) => !leftLabels.has(label)),
      left: [],
    }
    const parts = [hosts, keychain, files, gone]
    for (const label of parts.flatMap(({ removed }) => removed)) this.#removed.add(label)
    const left = [...closing, ...parts.flatMap((part) => part.left)]
    return { removed: [...this.#removed], left }
  }

  async #close(): Promise<RemainingItem[]> {
    try {
      await withTimeLimit(CLOSE_MS, this.parts.close)
      return []
    } catch (error) {
      const reason = `Some servers did not stop: ${reasonOf(error)} Look for them in the process list.`
      return [{ label: 'Running servers', place: 'This computer', reason }]
    }
  }

  async #removeFiles(
    pendingRecords: Readonly<Record<NonNullable<OwnName['recordOf']>, boolean>>,
  ): Promise<PartOutcome> {
    const { folder } = this.parts
    const removed: string[] = []
    const left: RemainingItem[] = []
    try {
      for (const entry of (await folder.read()).own) {
        const { recordOf, label } = entry.own
        if (recordOf !== undefined && pendingRecords[recordOf]) {
          left.push({ label, place: entry.paths[0] ?? '', reason: KEPT })
          continue
        }
        const failed = await folder.remove(entry)
        if (failed.length === 0) removed.push(label)
        left.push(...failed.map(({ path, reason }) => undeletedItem(label, path, reason)))
      }
    } catch (error) {
      left.push(undeletedItem('Profile folder', folder.path, messageOf(error)))
    }
    return { removed, left }
  }
}

const KEPT = 'Kept because it lists what is left. A later attempt removes it.'

function undeletedItem(label: string, place: string, reason: string): RemainingItem {
  const what = `This item couldn’t be deleted (${reason}).`
  return { label, place, reason: `${what} Check that you can write to it, or delete it yourself.` }
}

function itemOf({ own, paths, size }: OwnPaths): RemovalItem {
  const [first = ''] = paths
  const place = paths.length > 1 ? `${first} and ${String(paths.length - 1)} more` : first
  return { itemId: `${own.kind}:${own.label}`, kind: own.kind, label: own.label, place, size }
}
