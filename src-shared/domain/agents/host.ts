import * as z from 'zod'

import { AddedServers, ConfiguredServer, ServerChoice } from '../installation/configuration'
import { InstallationId } from '../installation/installation'
import { AgentId } from './agent'

/** One file in which host apps keep their servers: its host and scope, and its folder where it is a project's. */
export const HostFileId = z.string().min(1).max(5_000)

/** An agent app on this computer that keeps a list of MCP servers in a file. */
export const HostId = z.string().regex(/^[a-z0-9][a-z0-9-]{0,39}$/u)

/** How a file was found; `absent` is one that the app would read if it were there. */
const HostFileState = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('absent') }),
  z.object({
    kind: z.literal('read'),
    servers: z.number().int(),
    isReadOnly: z.boolean(),
    /** What its app can't read although Patchbay can, as a sentence. */
    warning: z.string().optional(),
  }),
  /** It does not parse, or is not what the app expects there: the sentence says where. */
  z.object({ kind: z.literal('broken'), problem: z.string() }),
  /** It could not be read at all. */
  z.object({ kind: z.literal('unreadable'), problem: z.string() }),
])

/** How the entry that Patchbay wrote is now. */
export const ConnectionState = z.enum([
  'asWritten',
  /** Somebody changed the entry. */
  'edited',
  /** The entry is as written, but Patchbay is started in another way now. */
  'moved',
  /** The entry or its file is gone. */
  'gone',
  /** The file cannot be read now. */
  'unknown',
  /** Its agent was removed here. */
  'agentGone',
  /** It calls Patchbay, and this Patchbay did not write it. */
  'foreign',
])
export type ConnectionState = z.infer<typeof ConnectionState>

/** An entry in a host's file that leads to Patchbay. */
export const HostConnection = z.object({
  fileId: HostFileId,
  /** What the file calls it. */
  entryName: z.string(),
  /** Missing where a foreign entry names none. */
  agentId: AgentId.optional(),
  state: ConnectionState,
  /** Somebody made another server of it: it is nobody's to take out but theirs. */
  isReplaced: z.boolean().optional(),
  /** Epoch ms; missing for a foreign entry. */
  writtenAt: z.number().optional(),
})
export type HostConnection = z.infer<typeof HostConnection>

/** One file of a host. */
export const HostFile = z.object({
  fileId: HostFileId,
  /** Of the user, or of one project folder. */
  scope: z.enum(['user', 'folder']),
  /** Absolute, as the host names it; a symbolic link is followed when it is read and written. */
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
  /** Its file or another trace of the app is on this computer. */
  isHere: z.boolean(),
  /** What makes the app read its file again, as a sentence. */
  reload: z.string(),
  /** Most tools that it takes, as far as is known. */
  toolLimit: z.number().int().optional(),
  /** Room that it leaves for the name of a tool, in characters, as far as is known. */
  nameLimit: z.number().int().optional(),
  files: z.array(HostFile),
})
export type HostView = z.infer<typeof HostView>

/** A change of a host's file that can be taken back while the file is as it left it. */
export const HostChange = z.object({
  changeId: z.string(),
  kind: z.enum(['connect', 'disconnect', 'switchOff']),
  fileId: HostFileId,
  path: z.string(),
  /** The entries that were written, taken out or switched off. */
  entryNames: z.array(z.string()),
  /** Epoch ms. */
  at: z.number(),
})
export type HostChange = z.infer<typeof HostChange>

/** The agent apps of this computer. */
export const HostsState = z.object({
  /** False until the files were looked at for the first time. */
  isRead: z.boolean(),
  hosts: z.array(HostView),
  /** Project folders that are looked into as well. */
  folders: z.array(z.string()),
  /** What can be taken back, newest first. */
  changes: z.array(HostChange),
})
export type HostsState = z.infer<typeof HostsState>

/** One line of a diff; `line` is counted from 1, in the old text where it is removed, in the new one where it is added or the same. */
export const DiffLine = z.object({
  kind: z.enum(['same', 'added', 'removed']),
  line: z.number().int(),
  /** Secrets are masked. */
  text: z.string(),
})
export type DiffLine = z.infer<typeof DiffLine>

/** What a change would make of one file. */
export const HostChangePreview = z.object({
  fileId: HostFileId,
  path: z.string(),
  /** Where a symbolic link leads; missing where `path` is the file itself. */
  realPath: z.string().optional(),
  /** The file is made, as it is not there. */
  isNew: z.boolean(),
  entryNames: z.array(z.string()),
  /** The lines that change with a few around them; a gap in `line` is text that stays. */
  diff: z.array(DiffLine),
  /** To be sent back: the change is rejected where the file is no longer the one that was shown. */
  seen: z.string(),
  /** What the user should know, as sentences. */
  notes: z.array(z.string()),
  /** Why it cannot be made; nothing is written then. */
  obstacle: z.string().optional(),
  /** Entries of the file that run what Patchbay provides, and what is done with them; missing where there are none. */
  doubles: z
    .object({
      names: z.array(z.string()),
      way: z.enum(['turnOff', 'remove']),
      /** Whether the change that is shown does it. */
      isIncluded: z.boolean(),
      /** They can't come back once Patchbay has quit: their secrets have no keychain to go to. */
      isLossy: z.boolean(),
    })
    .optional(),
})
export type HostChangePreview = z.infer<typeof HostChangePreview>

/** The agent that a host shall be: a new one, or one that is there. */
export const HostAgent = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('new'), name: z.string().min(1).max(60) }),
  z.object({ kind: z.literal('known'), agentId: AgentId }),
])
export type HostAgent = z.infer<typeof HostAgent>

/** One server in a host's file. */
export const HostServerRef = z.object({ fileId: HostFileId, entryName: z.string().max(2_000) })
export type HostServerRef = z.infer<typeof HostServerRef>

/** What the user chose for one server of a host. */
export const ImportChoice = HostServerRef.extend(ServerChoice.omit({ index: true }).shape)
export type ImportChoice = z.infer<typeof ImportChoice>

/** One server of a host's file, as Patchbay would add it. */
export const HostServer = HostServerRef.extend({
  hostName: z.string(),
  hostPath: z.string(),
  isOn: z.boolean(),
  /** Folders of projects in which the host has it off; missing where it is the same in all. */
  offIn: z.array(z.string()).optional(),
  /** The same for all entries that run the same server, in any host. */
  sameAs: z.string(),
  /** A server of Patchbay that runs the same. */
  isHereAs: z.object({ installationId: InstallationId, name: z.string() }).optional(),
  /** The choice of tools that it brings, in words; missing for all of them. */
  tools: z.string().optional(),
  server: ConfiguredServer,
})
export type HostServer = z.infer<typeof HostServer>

/** A host's file that nothing can be imported from, and why. */
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

/** What came of an import. */
export const ImportedServers = AddedServers.extend({
  /** The entries that were switched off in their hosts, to be taken back one by one. */
  changes: z.array(HostChange),
  /** Why entries of a file were left on, as sentences. */
  leftOn: z.array(z.string()),
})
export type ImportedServers = z.infer<typeof ImportedServers>
