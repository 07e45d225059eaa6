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

/** What a question is about; all texts are the server's or the agent's own, untrusted, and cut. */
export const QuestionBody = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('form'), message: z.string(), fields: z.array(ElicitationField) }),
  /** A page that the server wants opened: https, or loopback. */
  z.object({ kind: z.literal('page'), message: z.string(), url: z.string(), host: z.string() }),
  /** An agent wants to call a tool that its user wants to be asked about. */
  z.object({
    kind: z.literal('call'),
    tool: z.string(),
    title: z.string().optional(),
    isDestructive: z.boolean(),
    /** The server says that it changes nothing. */
    isReadOnly: z.boolean().optional(),
    /** What is sent, secrets masked; see `question.argument` for what a row does not show. */
    arguments: z.array(ArgumentRow),
  }),
])
export type QuestionBody = z.infer<typeof QuestionBody>

/** Something that waits for a user: asked by a server (elicitation), or on behalf of an agent. */
export const Question = z.object({
  questionId: z.string().max(64),
  installationId: InstallationId,
  /** Name of the agent for whose call it is, where that is known. */
  agent: z.string().optional(),
  /** The user's own run that it is for, where that is known. */
  toolRunId: ToolRunId.optional(),
  /** Epoch ms. */
  askedAt: z.number(),
  /** Until when it waits, epoch ms; then it is over without an answer. */
  until: z.number(),
  body: QuestionBody,
})
export type Question = z.infer<typeof Question>

/** What a user answers; `content` must fit the fields, and is checked again in main. */
export const QuestionAnswer = z.discriminatedUnion('kind', [
  /** The form as it is filled in; of a page, that it was opened. */
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
   * Lets a call pass: this one alone, or calls until the app ends, or for good. The last two hold for the tool, for all tools that
   * the server has now, or for all tools that the agent has now; without a target for the tool. Each ends when the definition of
   * its tool changes. A call with an argument that was not read whole passes alone.
   */
  z.object({
    kind: z.literal('allow'),
    scope: z.enum(['once', 'session', 'always']),
    target: z.enum(['tool', 'server', 'agent']).optional(),
  }),
  z.object({ kind: z.literal('deny') }),
])
export type QuestionAnswer = z.infer<typeof QuestionAnswer>
