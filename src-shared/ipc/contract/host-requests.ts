import * as z from 'zod'

import { AgentId } from '../../domain/agents/agent'
import {
  HostAgent,
  HostChange,
  HostChangePreview,
  HostFileId,
  HostServerRef,
  HostServers,
  ImportChoice,
  ImportedServers,
} from '../../domain/agents/host'
import { RemovalList, RemovalOutcome } from '../../domain/state/removal'
import { command, request } from './refs'

const FileRef = z.object({ fileId: HostFileId })
const Previewed = z.object({ previewHash: z.string().max(200) })
/** What happens to entries that run what Patchbay provides; missing: they are disabled, unless that loses them. */
const DuplicateHandling = z.object({ duplicates: z.enum(['off', 'keep']).optional() })
const Choices = z.array(ImportChoice).max(1_000)

/**
 * Requests on the files of agent apps: their servers, and the entries that connect to Patchbay. Every change is previewed first, and its
 * `seen` is sent back. Writes reject with HOST_FILE_CHANGED, HOST_FILE_BROKEN or HOST_FILE_UNWRITABLE without having written anything.
 */
export const hostRequests = {
  /** Reads all files again; `hosts.changed` has the state. */
  'hosts.look': command(z.object({})),
  /** Also reads a project folder. Rejects with INVALID_VALUES if it is no folder. */
  'hosts.addFolder': command(z.object({ path: z.string().max(4_096) })),
  'hosts.removeFolder': command(z.object({ path: z.string().max(4_096) })),
  /** Returns what a connection or its repair would write. Nothing is created yet, including the agent. */
  'hosts.previewConnect': request(
    FileRef.extend({ agent: HostAgent }).extend(DuplicateHandling.shape),
    HostChangePreview,
  ),
  /**
   * Writes the entry and disables duplicates with it; removing the entry enables them again. On failure a newly created agent is removed.
   * Also rejects with NAME_TAKEN.
   */
  'hosts.connect': request(
    FileRef.extend({ agent: HostAgent }).extend(DuplicateHandling.shape).extend(Previewed.shape),
    z.object({ agentId: AgentId, change: HostChange }),
  ),
  'hosts.previewDisconnect': request(HostServerRef, HostChangePreview),
  /** Removes the entry, and its agent if `removesAgent`. */
  'hosts.disconnect': request(
    HostServerRef.extend({ removesAgent: z.boolean() }).extend(Previewed.shape),
    z.object({ change: HostChange }),
  ),
  /** Accepts the entry as it now is in the file, or forgets it if it no longer exists. */
  'hosts.accept': command(HostServerRef),
  /** Undoes a change. Rejects with HOST_FILE_CHANGED if the file changed since. */
  'hosts.undo': command(z.object({ changeId: z.string().max(100) })),
  /** Returns every server of every host as Patchbay would add it with these choices, never a secret. */
  'hosts.servers': request(z.object({ choices: Choices }), HostServers),
  /** Returns the effect of disabling these entries on each file. */
  'hosts.previewSwitchOff': request(
    z.object({ refs: z.array(HostServerRef).max(1_000) }),
    z.object({ files: z.array(HostChangePreview) }),
  ),
  /**
   * Adds the chosen servers with their secrets in the keychain, and starts those with an approved plan. The added servers are then disabled
   * in the files of `switchOff`, which have the previewed `seen`.
   */
  'hosts.import': request(
    z.object({
      choices: Choices,
      switchOff: z.array(FileRef.extend(Previewed.shape)).max(200),
    }),
    ImportedServers,
  ),
  /** Returns everything that Patchbay created on this computer. */
  'removal.read': request(z.object({}), RemovalList),
  /**
   * Stops all servers and removes everything; another call retries the rest. Afterwards all requests except those of the removal reject
   * with REMOVED.
   */
  'removal.remove': request(z.object({}), RemovalOutcome),
  /** Ends the app after the removal. Rejects with INVALID_REQUEST before it. */
  'removal.end': command(z.object({})),
}
