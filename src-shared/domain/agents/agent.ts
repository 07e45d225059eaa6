import * as z from 'zod'

import { AppErrorShape } from '../app-error'
import { InstallationId } from '../installation/installation'
import { ToolChoice } from '../tool-choice'

/** Made from the agent's name when it is added, and kept; it stands in host configurations. */
export const AgentId = z.string().regex(/^[a-z0-9][a-z0-9-]{0,39}$/u)

/** What one agent is shown, and how. */
export const AgentProfile = z.object({
  /** Which servers, and which of the tools that their own choice leaves (C7). */
  servers: z
    .discriminatedUnion('kind', [
      z.object({ kind: z.literal('all') }),
      /** All servers, and of their tools those that are marked read-only. */
      z.object({ kind: z.literal('readOnly') }),
      z.object({
        kind: z.literal('list'),
        list: z.array(z.object({ installationId: InstallationId, choice: ToolChoice })).max(1_000),
      }),
    ])
    .default({ kind: 'all' }),
  /** Most tools that it is shown (C3). */
  toolCap: z.number().int().min(1).max(10_000).default(128),
  /** `ALIAS__TOOL`, or the tool's own name where no other tool of the profile has it. */
  naming: z.enum(['prefixed', 'plain']).default('prefixed'),
  /** Two tools, find and call, instead of all of them. */
  searchMode: z.boolean().default(false),
  /** Input schemas in a form that the APIs of all models take, in place of the servers' own. */
  simplifiedSchemas: z.boolean().default(false),
  /** Which calls wait for a user's yes. */
  confirm: z.enum(['never', 'destructive', 'always']).default('never'),
  /** Whether its own app asks for that where it can (MCP, elicitation), in place of Patchbay. */
  asksInApp: z.boolean().default(false),
  /** How many tools the agent's app takes, as far as its user knows. */
  appLimit: z.number().int().min(1).max(10_000).optional(),
  /** Longest tool name that fits its app, which puts a prefix of its own before each name. */
  nameLimit: z.number().int().min(40).max(64).default(48),
  /** Whether the arguments of its calls are kept in the activity, masked. */
  keepsArguments: z.boolean().default(false),
})
export type AgentProfile = z.infer<typeof AgentProfile>

/** An agent app that uses the gateway, as it is kept: its key is in the keychain, here is the hash alone. */
export const Agent = z.object({
  agentId: AgentId,
  name: z.string().min(1).max(60),
  /** Epoch ms. */
  createdAt: z.number(),
  /** SHA-256 of its key, hex. */
  keyHash: z.string().regex(/^[0-9a-f]{64}$/u),
  /** The last four characters of the key, to tell keys apart. */
  keyTail: z.string().max(4),
  profile: AgentProfile,
  /** Whether it ever connected by the gateway's address rather than through the bridge; missing where nobody noted it. */
  usedHttp: z.boolean().optional(),
  /** Tools that pass without a question for good, where `profile.confirm` asks. */
  allowed: z
    .array(
      z.object({
        installationId: InstallationId,
        tool: z.string().max(1_000),
        /** Of the definition that was allowed: a tool that changed is asked about again. */
        hash: z.string().max(64).default(''),
      }),
    )
    .max(10_000)
    .default([]),
})
export type Agent = z.infer<typeof Agent>

/** An agent as the screens show it. */
export const AgentView = Agent.omit({ keyHash: true, usedHttp: true }).extend({
  /** Of what it is shown now. */
  exposed: z.number().int(),
  /** Chosen tools beyond its tool limit. */
  overCap: z.number().int(),
  /** Estimate of what its tools take of a model's context; missing until all are counted. */
  tokens: z.number().int().optional(),
  /** Open connections; one that is kept without a request ends after a minute. */
  connections: z.number().int(),
  /** Epoch ms. */
  lastSeenAt: z.number().optional(),
  /** What the app called itself last. */
  app: z.object({ name: z.string(), version: z.string().optional() }).optional(),
  /** Calls since Patchbay runs. */
  calls: z.number().int(),
  /** Of these, those that failed; neither what its user rejected nor what it gave up itself. */
  errors: z.number().int(),
  /** When it last asked for its tools, epoch ms. */
  listedAt: z.number().optional(),
})
export type AgentView = z.infer<typeof AgentView>

/** How the one endpoint for agents is. */
export const GatewayStatus = z.discriminatedUnion('kind', [
  /** There is no agent. */
  z.object({ kind: z.literal('off') }),
  z.object({ kind: z.literal('opening') }),
  z.object({ kind: z.literal('open'), url: z.string(), port: z.number().int() }),
  z.object({ kind: z.literal('failed'), port: z.number().int(), error: AppErrorShape }),
])
export type GatewayStatus = z.infer<typeof GatewayStatus>

/** All agents, in the order in which they were added, and where they connect. */
export const AgentsState = z.object({ gateway: GatewayStatus, agents: z.array(AgentView) })
export type AgentsState = z.infer<typeof AgentsState>

/** What agents are shown of a tool under which name. */
export const AgentTool = z.object({
  installationId: InstallationId,
  tool: z.string(),
  exposedName: z.string(),
  title: z.string().optional(),
  tokens: z.number().int().optional(),
})
export type AgentTool = z.infer<typeof AgentTool>
