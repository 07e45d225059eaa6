import * as z from 'zod'

import { AppErrorShape } from '../app-error'
import { InstallationId } from '../installation/installation'
import { ToolChoice } from '../tool-choice'

/** Derived from the agent's name when it is added, and kept. Host configurations contain it. */
export const AgentId = z.string().regex(/^[a-z0-9][a-z0-9-]{0,39}$/u)

/** Which tools one agent gets, and in which form. */
export const AgentProfile = z.object({
  /** Which servers, and which of the tools that their own choice allows (C7). */
  servers: z
    .discriminatedUnion('kind', [
      z.object({ kind: z.literal('all') }),
      /** All servers, with their read-only tools. */
      z.object({ kind: z.literal('readOnly') }),
      z.object({
        kind: z.literal('list'),
        list: z.array(z.object({ installationId: InstallationId, choice: ToolChoice })).max(1_000),
      }),
    ])
    .default({ kind: 'all' }),
  /** Maximum number of tools in the agent's list (C3). */
  toolCap: z.number().int().min(1).max(10_000).default(128),
  /** `ALIAS__TOOL`, or the tool's own name if it is unique in the profile. */
  naming: z.enum(['prefixed', 'plain']).default('prefixed'),
  /** Lists two tools, find and call, instead of all tools. */
  searchMode: z.boolean().default(false),
  /** Replaces input schemas by a form that the APIs of all models accept. */
  simplifiedSchemas: z.boolean().default(false),
  /** Which calls need a user's approval. */
  confirm: z.enum(['never', 'destructive', 'always']).default('never'),
  /** Whether the agent's own app asks for approval if it can (MCP, elicitation), instead of Patchbay. */
  asksInApp: z.boolean().default(false),
  /** How many tools the agent's app accepts, if the user knows. */
  appLimit: z.number().int().min(1).max(10_000).optional(),
  /** Maximum length of a tool name. The agent's app puts its own prefix before each name. */
  nameLimit: z.number().int().min(40).max(64).default(48),
  /** Whether the activity stores the arguments of the agent's calls, masked. */
  keepsArguments: z.boolean().default(false),
})
export type AgentProfile = z.infer<typeof AgentProfile>

/** An agent app that uses the gateway, as it is stored: the keychain holds its key, this object the hash. */
export const Agent = z.object({
  agentId: AgentId,
  name: z.string().min(1).max(60),
  /** Epoch ms. */
  createdAt: z.number(),
  /** SHA-256 of the key, hex. */
  keyHash: z.string().regex(/^[0-9a-f]{64}$/u),
  /** The last four characters of the key, to tell keys apart. */
  keyTail: z.string().max(4),
  profile: AgentProfile,
  /** Whether the agent ever connected to the gateway's address instead of through the bridge; missing if unknown. */
  usedHttp: z.boolean().optional(),
  /** Tools that are approved for good if `profile.confirm` requires approval. */
  allowed: z
    .array(
      z.object({
        installationId: InstallationId,
        tool: z.string().max(1_000),
        /** Hash of the approved definition: a changed tool needs approval again. */
        hash: z.string().max(64).default(''),
      }),
    )
    .max(10_000)
    .default([]),
})
export type Agent = z.infer<typeof Agent>

/** An agent with its current numbers. */
export const AgentView = Agent.omit({ keyHash: true, usedHttp: true }).extend({
  /** Number of tools in its list now. */
  exposed: z.number().int(),
  /** Number of chosen tools over the limit. */
  overCap: z.number().int(),
  /** Estimated context size of its tools in tokens; missing until all are counted. */
  tokens: z.number().int().optional(),
  /** Open connections. A kept connection without a request closes after a minute. */
  connections: z.number().int(),
  /** Epoch ms. */
  lastSeenAt: z.number().optional(),
  /** Name and version that the app reported last. */
  app: z.object({ name: z.string(), version: z.string().optional() }).optional(),
  /** Calls since Patchbay started. */
  calls: z.number().int(),
  /** Failed calls, without denied and cancelled ones. */
  errors: z.number().int(),
  /** When it last listed its tools, epoch ms. */
  listedAt: z.number().optional(),
})
export type AgentView = z.infer<typeof AgentView>

/** Status of the one endpoint for agents. */
export const GatewayStatus = z.discriminatedUnion('kind', [
  /** No agent exists. */
  z.object({ kind: z.literal('off') }),
  z.object({ kind: z.literal('opening') }),
  z.object({ kind: z.literal('open'), url: z.string(), port: z.number().int() }),
  z.object({ kind: z.literal('failed'), port: z.number().int(), error: AppErrorShape }),
])
export type GatewayStatus = z.infer<typeof GatewayStatus>

/** All agents in the order of their creation, and the endpoint. */
export const AgentsState = z.object({ gateway: GatewayStatus, agents: z.array(AgentView) })
export type AgentsState = z.infer<typeof AgentsState>

/** A tool as agents see it, with its exposed name. */
export const AgentTool = z.object({
  installationId: InstallationId,
  tool: z.string(),
  exposedName: z.string(),
  title: z.string().optional(),
  tokens: z.number().int().optional(),
})
export type AgentTool = z.infer<typeof AgentTool>
