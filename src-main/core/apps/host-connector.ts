import type { AgentProfile } from '../../../src-shared/domain/agents/agent'
import type {
  HostAgent,
  HostChangePreview,
  HostServerRef,
} from '../../../src-shared/domain/agents/host'
import { AppError } from '../../../src-shared/domain/app-error'
import type { AppInfo } from '../../../src-shared/domain/state/app-state'
import type { ParsedInput, RequestOutput } from '../../../src-shared/ipc/contract'
import type { AgentStore } from '../gateway/agents/agent-store'
import { nameLimitOf } from './apps/host-app'
import { connectEdit, disconnectEdit } from './connect-edit'
import { type FindDuplicates, withDuplicatesOff, withDuplicatesRestored } from './duplicates'
import { bridgeEntry, bridgeOf, hashOfMembers } from './files/bridge-entry'
import type { HostEdit } from './files/change-plan'
import { type ConnectionContext, sharedWith, writtenIn } from './files/file-connections'
import type { FileEditor } from './files/file-editor'
import type { FoundFile } from './files/found-file'
import type { WrittenEntry } from './files/host-ledger'
import type { HostEntry } from './formats/host-document'

/** Dependencies of the connector. */
export type HostConnectorOptions = {
  readonly editor: FileEditor
  readonly agents: Pick<AgentStore, 'add' | 'remove' | 'find' | 'read' | 'nextId' | 'setProfile'>
  readonly newProfile: () => AgentProfile
  readonly findDuplicates: FindDuplicates
  /** Settles when the gateway has opened for a new agent, or failed to. */
  readonly gatewaySettled: () => Promise<void>
  /** Whether an agent connected to the gateway in this run. */
  readonly wasSeen: (agentId: string) => boolean
  readonly info: Pick<AppInfo, 'ownCommand' | 'profileDir'>
}

/** Connects apps to Patchbay by an entry in their files, and disconnects them. */
export class HostConnector {
  /** Agents created by changes of this run; for earlier runs, nobody knows whether they have connected. */
  readonly #madeAgents = new Map<string, string>()

  constructor(private readonly options: HostConnectorOptions) {}

  /** Context for checking whether an entry is up to date. */
  get context(): ConnectionContext {
    const { agents, editor, info } = this.options
    const { ownCommand, profileDir } = info
    const hasAgent = (agentId: string): boolean => agents.find(agentId) !== undefined
    return { ledger: editor.ledger, hasAgent, ownCommand, profileDir }
  }

  readonly previewConnect = async (
    input: ParsedInput<'hosts.previewConnect'>,
  ): Promise<HostChangePreview> => {
    const edit = await this.#connectEdit(this.#idOf(input.agent), input)
    return this.options.editor.preview(input.fileId, edit)
  }

  readonly connect = async (
    input: ParsedInput<'hosts.connect'>,
  ): Promise<RequestOutput<'hosts.connect'>> => {
    const { editor, agents } = this.options
    const { fileId, agent, previewHash } = input
    const edit = await this.#connectEdit(this.#idOf(agent), input)
    await editor.check(fileId, edit, previewHash)
    const { app } = await editor.readOne(fileId)
    const nameLimit = nameLimitOf(app, edit.entryNames[0])
    if (agent.kind === 'known') {
      const { agentId } = agent
      const change = await editor.apply(fileId, edit, previewHash)
      const { profile } = agents.read(agentId)
      // Names that fit don't change: the limit only gets stricter.
      if (profile.nameLimit > nameLimit) agents.setProfile(agentId, { ...profile, nameLimit })
      return { agentId, change }
    }
    const profile = { ...this.#profileFor(app), nameLimit }
    const { agentId } = await agents.add(agent.name, profile)
    try {
      // An app that watches its file starts the bridge immediately: without a gateway, the bridge would list no tools.
      await this.options.gatewaySettled()
      const written = await this.#connectEdit(agentId, input)
      const change = await editor.apply(fileId, written, previewHash)
      this.#madeAgents.set(change.changeId, agentId)
      return { agentId, change }
    } catch (error) {
      // The entry may be written, if recording it is what failed.
      if (await this.#hasNoEntry(fileId, agentId)) await agents.remove(agentId)
      throw error
    }
  }

  readonly previewDisconnect = async (ref: HostServerRef): Promise<HostChangePreview> =>
    this.options.editor.preview(ref.fileId, await this.#disconnectEdit(ref))

  readonly disconnect = async ({
    fileId,
    entryName,
    removesAgent,
    previewHash,
  }: ParsedInput<'hosts.disconnect'>): Promise<RequestOutput<'hosts.disconnect'>> => {
    const { editor, agents } = this.options
    const edit = await this.#disconnectEdit({ fileId, entryName })
    const change = await editor.apply(fileId, edit, previewHash)
    // The id in a foreign entry may belong to another Patchbay.
    const agentId = edit.written?.before?.agentId
    if (removesAgent && agentId !== undefined && agents.find(agentId)) await agents.remove(agentId)
    return { change }
  }

  /**
   * Accepts an entry as it is now, or its absence. Rejects with NOT_FOUND if its agent doesn't exist here, and with the file's own error if
   * it can't be read.
   */
  readonly accept = async ({ fileId, entryName }: HostServerRef): Promise<void> => {
    const { editor } = this.options
    const { ledger } = editor
    const file = await editor.readOne(fileId)
    if (file.error) throw file.error
    const before = writtenIn(file, ledger).find((one) => one.entryName === entryName)
    const entry = file.document?.entries.find(({ name }) => name === entryName)
    if (!entry) {
      if (before) ledger.setWritten(before, undefined)
      return
    }
    ledger.setWritten(before, this.#accepted(file, entry, before))
  }

  /** Undoes a change; also deletes the agent that it created, unless that agent has connected. */
  readonly undo = async (changeId: string): Promise<void> => {
    const { editor, agents, wasSeen } = this.options
    const agentId = this.#madeAgents.get(changeId)
    await editor.undo(changeId)
    this.#madeAgents.delete(changeId)
    if (agentId === undefined || !agents.find(agentId) || wasSeen(agentId)) return
    if (!editor.ledger.written.some((one) => one.agentId === agentId)) await agents.remove(agentId)
  }

  /** Removes an entry without a preview. Drops the record of an entry that is gone or leads elsewhere. */
  readonly removeEntry = async (fileId: string, entryName: string): Promise<void> => {
    const { editor } = this.options
    const { ledger } = editor
    const file = await editor.readOne(fileId)
    const isOwn = file.document?.entries.some(
      ({ name, value }) => name === entryName && bridgeOf(value),
    )
    if (!file.error && !isOwn) {
      for (const one of writtenIn(file, ledger))
        if (one.entryName === entryName) ledger.setWritten(one, undefined)
      return
    }
    const edit = await this.#disconnectEdit({ fileId, entryName }, file)
    const { previewHash, obstacle } = await editor.preview(fileId, edit)
    if (obstacle !== undefined && file.error) throw file.error
    await editor.apply(fileId, edit, previewHash)
  }

  /** Returns the id of an existing or new agent. Throws NOT_FOUND, NAME_TAKEN or INVALID_VALUES. */
  #idOf(agent: HostAgent): string {
    const { agents } = this.options
    return agent.kind === 'known' ? agents.read(agent.agentId).agentId : agents.nextId(agent.name)
  }

  async #disconnectEdit(
    { fileId, entryName }: HostServerRef,
    found?: FoundFile,
  ): Promise<HostEdit> {
    const { editor } = this.options
    const file = found ?? (await editor.readOne(fileId))
    return withDuplicatesRestored(disconnectEdit(file, entryName, this.context), file, editor)
  }

  async #connectEdit(
    agentId: string,
    { fileId, duplicates }: ParsedInput<'hosts.previewConnect'>,
  ): Promise<HostEdit> {
    const { editor, agents, info, newProfile, findDuplicates } = this.options
    const { ownCommand } = info
    if (ownCommand.obstacle !== undefined)
      throw new AppError('NOT_AVAILABLE_HERE', 'No app here can be connected to Patchbay.', {
        hint: ownCommand.obstacle,
      })
    const [file, files] = await Promise.all([editor.readOne(fileId), editor.read()])
    const edit = connectEdit(file, agentId, {
      ...this.context,
      now: editor.clock.now(),
      sharedWith: sharedWith(file, files),
    })
    const profile = agents.find(agentId)?.profile ?? newProfile()
    return withDuplicatesOff(edit, file, await findDuplicates(fileId, profile), duplicates)
  }

  /** Whether a readable file has no entry of an agent. */
  async #hasNoEntry(fileId: string, agentId: string): Promise<boolean> {
    const { error, document } = await this.options.editor.readOne(fileId)
    const leadsTo = ({ value }: HostEntry): boolean => bridgeOf(value)?.agentId === agentId
    return !error && !(document?.entries ?? []).some(leadsTo)
  }

  #profileFor({ toolLimit }: FoundFile['app']): AgentProfile {
    const profile = this.options.newProfile()
    if (toolLimit === undefined) return profile
    // Above its limit, the app chooses what to drop; below it, Patchbay names what is omitted.
    return { ...profile, appLimit: toolLimit, toolCap: Math.min(profile.toolCap, toolLimit) }
  }

  #accepted(
    { app, scope, path, realPath, list }: FoundFile,
    { name, value }: HostEntry,
    before: WrittenEntry | undefined,
  ): WrittenEntry {
    const { agents, editor, info } = this.options
    const named = bridgeOf(value)?.agentId
    const agentId = named !== undefined && agents.find(named) ? named : before?.agentId
    if (agentId === undefined)
      throw new AppError(
        'NOT_FOUND',
        'The entry points to an agent that doesn’t exist in this Patchbay.',
        { hint: 'Remove the entry, then connect the app.' },
      )
    const wanted = bridgeEntry(app, { ...info, agentId, name })
    const members = Object.keys(wanted)
    return {
      ...{ hostId: app.hostId, scope, path, realPath, madeFile: false, madeLevels: 0 },
      ...before,
      ...{ keys: [...list.keys], entryName: name, agentId, members },
      hash: hashOfMembers(value, members),
      wanted: hashOfMembers(wanted, members),
      writtenAt: editor.clock.now(),
    }
  }
}
