import * as z from 'zod'

import { AddedServers, ConfiguredServer, ServerChoice } from '../installation/configuration'
import { InstallationId } from '../installation/installation'
import { AgentId } from './agent'

/** One configuration file of host apps: host, scope, and folder for a project's file. */
export const HostFileId = z.string().min(1).max(5_000)

/** An agent app on this computer that keeps a list of MCP servers in a file. */
export const HostId = z.string().regex(/^[a-z0-9][a-z0-9-]{0,39}$/u)

/** State of a file; `absent` is a file that the app would read if it existed. */
const HostFileState = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('absent') }),
  z.object({
    kind: z.literal('read'),
    servers: z.number().int(),
    isReadOnly: z.boolean(),
    /** What Patchbay can read but the app cannot, as a sentence. */
    warning: z.string().optional(),
  }),
  /** The file does not parse, or is not what the app expects: the sentence says where. */
  z.object({ kind: z.literal('broken'), problem: z.string() }),
  /** The file could not be read. */
  z.object({ kind: z.literal('unreadable'), problem: z.string() }),
])

/** State of the entry that Patchbay wrote. */
export const ConnectionState = z.enum([
  'asWritten',
  /** Somebody changed the entry. */
  'edited',
  /** The entry is unchanged, but Patchbay now starts in another way. */
  'moved',
  /** The entry or its file no longer exists. */
  'gone',
  /** The file cannot be read now. */
  'unknown',
  /** Its agent was removed in Patchbay. */
  'agentGone',
  /** The entry calls Patchbay, but this Patchbay did not write it. */
  'foreign',
])
export type ConnectionState = z.infer<typeof ConnectionState>

/** An entry in a host's file that connects to Patchbay. */
export const HostConnection = z.object({
  fileId: HostFileId,
  /** Name of the entry in the file. */
  entryName: z.string(),
  /** Missing if a foreign entry names none. */
  agentId: AgentId.optional(),
  state: ConnectionState,
  /** Somebody replaced it by another server, so Patchbay must not remove it. */
  isReplaced: z.boolean().optional(),
  /** Epoch ms; missing for a foreign entry. */
  writtenAt: z.number().optional(),
})
export type HostConnection = z.infer<typeof HostConnection>

/** One file of a host. */
export const HostFile = z.object({
  fileId: HostFileId,
  /** A file of the user, or of one project folder. */
  scope: z.enum(['user', 'folder']),
  /** Absolute, as the host names it. Reads and writes follow a symbolic link. */
  path: z.string(),
  state: HostFileState,
  /** Other hosts that read the same file. */
  sharedWith: z.array(z.string()),
  connections: z.array(HostConnection),
})
export type HostFile = z.infer<typeof HostFile>

/** A host and its files. */
export const HostView = z.object({
  hostId: HostId,
  name: z.string(),
  /** Whether its file or another trace of the app exists on this computer. */
  isHere: z.boolean(),
  /** What makes the app read its file again, as a sentence. */
  reload: z.string(),
  /** Maximum number of tools that it accepts, if known. */
  toolLimit: z.number().int().optional(),
  /** Maximum length of a tool name in it, in characters, if known. */
  nameLimit: z.number().int().optional(),
  files: z.array(HostFile),
})
export type HostView = z.infer<typeof HostView>

/** A change of a host's file that can be undone while the file is unchanged since. */
export const HostChange = z.object({
  changeId: z.string(),
  kind: z.enum(['connect', 'disconnect', 'switchOff']),
  fileId: HostFileId,
  path: z.string(),
  /** Names of the entries that were written, removed or disabled. */
  entryNames: z.array(z.string()),
  /** Epoch ms. */
  at: z.number(),
})
export type HostChange = z.infer<typeof HostChange>

/** The agent apps of this computer. */
export const HostsState = z.object({
  /** False until the files were read for the first time. */
  isRead: z.boolean(),
  hosts: z.array(HostView),
  /** Project folders that are searched as well. */
  folders: z.array(z.string()),
  /** Changes that can be undone, newest first. */
  changes: z.array(HostChange),
})
export type HostsState = z.infer<typeof HostsState>

/** One line of a diff. `line` counts from 1: in the old text for a removed line, otherwise in the new text. */
export const DiffLine = z.object({
  kind: z.enum(['same', 'added', 'removed']),
  line: z.number().int(),
  /** Secrets are masked. */
  text: z.string(),
})
export type DiffLine = z.infer<typeof DiffLine>

/** The effect of a change on one file. */
export const HostChangePreview = z.object({
  fileId: HostFileId,
  path: z.string(),
  /** Target of a symbolic link; missing if `path` is the file itself. */
  realPath: z.string().optional(),
  /** Whether the change creates the file. */
  isNew: z.boolean(),
  entryNames: z.array(z.string()),
  /** Changed lines with some context; a gap in `line` is unchanged text. */
  diff: z.array(DiffLine),
  /** To be sent back: the change is rejected if the file is no longer the one shown. */
  previewHash: z.string(),
  /** Notes for the user, as sentences. */
  notes: z.array(z.string()),
  /** Why the change is impossible; nothing is written then. */
  obstacle: z.string().optional(),
  /** Entries of the file that run what Patchbay provides, and what the change does with them; missing if there are none. */
  duplicates: z
    .object({
      names: z.array(z.string()),
      way: z.enum(['turnOff', 'remove']),
      /** Whether the shown change includes them. */
      isIncluded: z.boolean(),
      /** They can't be restored after Patchbay quits, because there is no keychain for their secrets. */
      isLossy: z.boolean(),
    })
    .optional(),
})
export type HostChangePreview = z.infer<typeof HostChangePreview>

/** The agent for a host: a new one or an existing one. */
export const HostAgent = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('new'), name: z.string().min(1).max(60) }),
  z.object({ kind: z.literal('known'), agentId: AgentId }),
])
export type HostAgent = z.infer<typeof HostAgent>

/** One server in a host's file. */
export const HostServerRef = z.object({ fileId: HostFileId, entryName: z.string().max(2_000) })
export type HostServerRef = z.infer<typeof HostServerRef>

/** The user's choices for one server of a host. */
export const ImportChoice = HostServerRef.extend(ServerChoice.omit({ index: true }).shape)
export type ImportChoice = z.infer<typeof ImportChoice>

/** One server of a host's file, as Patchbay would add it. */
export const HostServer = HostServerRef.extend({
  hostName: z.string(),
  hostPath: z.string(),
  isOn: z.boolean(),
  /** Project folders in which the host disables it; missing if it is the same in all. */
  offIn: z.array(z.string()).optional(),
  /** Equal for all entries that run the same server, in any host. */
  sameAs: z.string(),
  /** The server in Patchbay that runs the same. */
  alreadyInstalledAs: z.object({ installationId: InstallationId, name: z.string() }).optional(),
  /** Its choice of tools in words; missing for all tools. */
  tools: z.string().optional(),
  server: ConfiguredServer,
})
export type HostServer = z.infer<typeof HostServer>

/** A host's file that nothing can be imported from, with the reason. */
export const UnreadHost = z.object({
  hostName: z.string(),
  path: z.string(),
  problem: z.string(),
})
export type UnreadHost = z.infer<typeof UnreadHost>

/** Every server of every host. */
export const HostServers = z.object({
  servers: z.array(HostServer),
  unread: z.array(UnreadHost),
})
export type HostServers = z.infer<typeof HostServers>

/** Result of an import. */
export const ImportedServers = AddedServers.extend({
  /** The entries that were disabled in their hosts, to be undone one by one. */
  changes: z.array(HostChange),
  /** Why entries of a file stay enabled, as sentences. */
  stillOn: z.array(z.string()),
})
export type ImportedServers = z.infer<typeof ImportedServers>
