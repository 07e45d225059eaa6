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
const Seen = z.object({ seen: z.string().max(200) })
/** What is done with entries that run what Patchbay provides; missing: turned off, unless that loses them. */
const Doubles = z.object({ doubles: z.enum(['off', 'keep']).optional() })
const Choices = z.array(ImportChoice).max(1_000)

/**
 * The files of agent apps: what stands in them, and the entries that lead to Patchbay. What a change does is shown
 * first; `seen` of that is sent back. Writes reject with HOST_FILE_CHANGED, HOST_FILE_BROKEN or HOST_FILE_UNWRITABLE,
 * and have written nothing then.
 */
export const hostRequests = {
  /** Looks at all files again; the state comes with `hosts.changed`. */
  'hosts.look': command(z.object({})),
  /** Looks into a project folder too. Rejects with INVALID_VALUES where it is none. */
  'hosts.addFolder': command(z.object({ path: z.string().max(4_096) })),
  'hosts.removeFolder': command(z.object({ path: z.string().max(4_096) })),
  /** What connecting, or fixing the connection, writes. Nothing is made yet, no agent either. */
  'hosts.previewConnect': request(
    FileRef.extend({ agent: HostAgent }).extend(Doubles.shape),
    HostChangePreview,
  ),
  /** Writes the entry, and turns doubles off with it; they come back when it is taken out. An agent that was made for it is removed again where that fails. Also rejects with NAME_TAKEN. */
  'hosts.connect': request(
    FileRef.extend({ agent: HostAgent }).extend(Doubles.shape).extend(Seen.shape),
    z.object({ agentId: AgentId, change: HostChange }),
  ),
  'hosts.previewDisconnect': request(HostServerRef, HostChangePreview),
  /** Takes the entry out; its agent goes with it where `removesAgent`. */
  'hosts.disconnect': request(
    HostServerRef.extend({ removesAgent: z.boolean() }).extend(Seen.shape),
    z.object({ change: HostChange }),
  ),
  /** From now on the entry as it is in the file counts as wanted, or as none of Patchbay's where it is gone. */
  'hosts.accept': command(HostServerRef),
  /** Takes a change back. Rejects with HOST_FILE_CHANGED where the file is no longer as the change left it. */
  'hosts.undo': command(z.object({ changeId: z.string().max(100) })),
  /** Every server of every host, as Patchbay would add it with these choices. Never a secret. */
  'hosts.servers': request(z.object({ choices: Choices }), HostServers),
  /** What switching these entries off does to each file. */
  'hosts.previewSwitchOff': request(
    z.object({ refs: z.array(HostServerRef).max(1_000) }),
    z.object({ files: z.array(HostChangePreview) }),
  ),
  /**
   * Adds the chosen servers with their secrets in the keychain, and starts those whose plan is approved. Those that were added are
   * then switched off in the files of `switchOff`, which are sent as they were seen.
   */
  'hosts.import': request(
    z.object({
      choices: Choices,
      switchOff: z.array(FileRef.extend(Seen.shape)).max(200),
    }),
    ImportedServers,
  ),
  /** Everything that Patchbay made on this computer. */
  'removal.read': request(z.object({}), RemovalList),
  /**
   * Stops all servers and removes everything; another call tries again what is left. From then on all but the requests
   * of the removal reject with REMOVED.
   */
  'removal.remove': request(z.object({}), RemovalOutcome),
  /** Ends the app after that. Rejects with INVALID_REQUEST before. */
  'removal.end': command(z.object({})),
}
