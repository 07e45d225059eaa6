import * as z from 'zod'

import { InstallationId } from '../installation/installation'
import { ArgumentRow } from './argument-rows'
import { ToolRunId } from './tool-run'

/** One field of a form that a server asks a user to fill in (MCP, elicitation: flat, primitive types only). */
export const ElicitationField = z.object({
  name: z.string(),
  title: z.string().optional(),
  description: z.string().optional(),
  isRequired: z.boolean(),
  input: z.discriminatedUnion('kind', [
    z.object({
      kind: z.literal('text'),
      format: z.enum(['email', 'uri', 'date', 'date-time']).optional(),
      minLength: z.number().optional(),
      maxLength: z.number().optional(),
      default: z.string().optional(),
    }),
    z.object({
      kind: z.literal('number'),
      isInteger: z.boolean(),
      minimum: z.number().optional(),
      maximum: z.number().optional(),
      default: z.number().optional(),
    }),
    z.object({ kind: z.literal('boolean'), default: z.boolean().optional() }),
    z.object({
      kind: z.literal('choice'),
      choices: z.array(z.object({ value: z.string(), label: z.string() })),
      default: z.string().optional(),
    }),
    z.object({
      kind: z.literal('choices'),
      choices: z.array(z.object({ value: z.string(), label: z.string() })),
      minItems: z.number().optional(),
      maxItems: z.number().optional(),
      default: z.array(z.string()).optional(),
    }),
  ]),
})
export type ElicitationField = z.infer<typeof ElicitationField>

/** Body of a request. All texts come from the server or the agent: untrusted, and cut. */
export const UserRequestBody = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('form'), message: z.string(), fields: z.array(ElicitationField) }),
  /** A page that the server wants opened: https or loopback. */
  z.object({ kind: z.literal('page'), message: z.string(), url: z.string(), host: z.string() }),
  /** An agent wants to call a tool that needs the user's approval. */
  z.object({
    kind: z.literal('call'),
    tool: z.string(),
    title: z.string().optional(),
    isDestructive: z.boolean(),
    /** The server claims that it changes nothing. */
    isReadOnly: z.boolean().optional(),
    /** Arguments with secrets masked. `userRequest.argument` returns what a row does not show. */
    arguments: z.array(ArgumentRow),
  }),
])
export type UserRequestBody = z.infer<typeof UserRequestBody>

/** A pending request for the user: from a server (elicitation), or for an agent's call. */
export const UserRequest = z.object({
  requestId: z.string().max(64),
  installationId: InstallationId,
  /** Name of the agent whose call caused it, if known. */
  agent: z.string().optional(),
  /** The user's own tool run that caused it, if known. */
  toolRunId: ToolRunId.optional(),
  /** Epoch ms. */
  requestedAt: z.number(),
  /** Epoch ms; after it the request ends unanswered. */
  until: z.number(),
  body: UserRequestBody,
})
export type UserRequest = z.infer<typeof UserRequest>

/** A user's response; `content` must match the fields, and main validates it again. */
export const UserRequestAnswer = z.discriminatedUnion('kind', [
  /** The completed form; for a page, that it was opened. */
  z.object({
    kind: z.literal('accept'),
    content: z
      .record(z.string(), z.union([z.string(), z.number(), z.boolean(), z.array(z.string())]))
      .optional(),
  }),
  z.object({ kind: z.literal('decline') }),
  /** Closed without a choice. */
  z.object({ kind: z.literal('dismiss') }),
  /**
   * Allows a call: once, until the app ends, or for good. The last two apply to the tool, to all current tools of the server, or to all
   * current tools of the agent; without a target to the tool. Each ends when the definition of its tool changes. A call with an argument
   * that was not read completely is allowed once.
   */
  z.object({
    kind: z.literal('allow'),
    scope: z.enum(['once', 'session', 'always']),
    target: z.enum(['tool', 'server', 'agent']).optional(),
  }),
  z.object({ kind: z.literal('deny') }),
])
export type UserRequestAnswer = z.infer<typeof UserRequestAnswer>
