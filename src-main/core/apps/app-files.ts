import { isAbsolute, resolve } from 'node:path'
import { isDeepStrictEqual } from 'node:util'

import pLimit from 'p-limit'

import type { HostsState } from '../../../src-shared/domain/agents/host'
import { AppError } from '../../../src-shared/domain/app-error'
import { checkPath } from '../launch/paths/check-path'
import type { HostApp, HostPlace } from './apps/host-app'
import type { ConnectionContext } from './files/file-connections'
import type { FileEditor } from './files/file-editor'
import { type HostLedger, MOST_FOLDERS } from './files/host-ledger'
import { hostsState, tracedApps } from './hosts-state'

/** What is looked at, and who is notified. */
export type AppFilesOptions = {
  readonly apps: readonly HostApp[]
  readonly place: HostPlace
  readonly editor: FileEditor
  readonly ledger: HostLedger
  readonly context: () => ConnectionContext
  readonly onChange: () => void
}

/** What is known of the files of agent apps. */
export class AppFiles {
  readonly #inTurn = pLimit(1)
  #state: HostsState = { isRead: false, hosts: [], folders: [], changes: [] }

  constructor(private readonly options: AppFilesOptions) {}

  get state(): HostsState {
    return this.#state
  }

  /** Looks at everything again. Where there is no app at all only the caller gets an answer. */
  readonly look = (wasAsked = true): Promise<void> =>
    this.#inTurn(async () => {
      const { apps, place, editor, ledger, context, onChange } = this.options
      const [files, traced] = await Promise.all([editor.read(), tracedApps(apps, place)])
      const state = hostsState({
        ...{ apps, files, traced, context: context(), folders: ledger.folders },
        changes: editor.changes(),
      })
      if (isDeepStrictEqual(state, this.#state)) return
      this.#state = state
      if (wasAsked || state.folders.length > 0 || state.hosts.some(({ isHere }) => isHere))
        onChange()
    })

  /** Makes a change, then looks again, also where it fails. */
  readonly changing =
    <I, O>(change: (input: I) => Promise<O>) =>
    async (input: I): Promise<O> => {
      try {
        return await change(input)
      } finally {
        await this.look()
      }
    }

  /** Settles when nothing is being looked at. */
  readonly idle = (): Promise<void> => this.#inTurn(() => undefined)

  readonly addFolder = this.changing((path: string) => addFolder(this.options.ledger, path))

  readonly removeFolder = (path: string): Promise<void> => {
    const { ledger } = this.options
    ledger.setFolders(ledger.folders.filter((folder) => folder !== path))
    return this.look()
  }
}

/** Notes a project folder that is looked into too. Rejects with INVALID_VALUES where it is none, or where there are too many. */
async function addFolder(ledger: HostLedger, wanted: string): Promise<void> {
  const path = wanted.trim()
  if (!isAbsolute(path))
    throw rejected(
      `${path} isn’t an absolute path.`,
      'Enter the full path, starting at the root of the disk.',
    )
  if ((await checkPath(path)) !== 'folder')
    throw rejected(`${path} isn’t a readable folder.`, 'Choose a folder on this computer.')
  const folder = resolve(path)
  if (ledger.folders.includes(folder)) return
  if (ledger.folders.length >= MOST_FOLDERS)
    throw rejected(
      `The limit of ${String(MOST_FOLDERS)} project folders is reached.`,
      'Remove a folder you no longer use.',
    )
  ledger.setFolders([...ledger.folders, folder])
}

function rejected(message: string, hint: string): AppError {
  return new AppError('INVALID_VALUES', message, { hint })
}
