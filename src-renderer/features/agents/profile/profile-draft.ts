import { AgentProfile, type AgentView } from '../../../../src-shared/domain/agents/agent'

/** An agent while it is edited: numbers as they are typed, so that nothing typed is lost. */
export type ProfileDraft = Omit<AgentProfile, 'toolCap' | 'appLimit'> & {
  readonly name: string
  readonly toolCap: string
  /** Empty where none is known. */
  readonly appLimit: string
}

/** The fields that can be wrong. */
export type DraftProblems = Partial<Record<'name' | 'toolCap' | 'appLimit', string>>

/** What a draft means: a profile, or why it is none. */
export type CheckedProfile =
  | { readonly profile: AgentProfile; readonly name: string; readonly problems?: undefined }
  | { readonly problems: DraftProblems; readonly profile?: undefined }

/** What may be typed as a number of tools. */
const MOST_TOOLS = 10_000
const NUMBER_PROBLEM = `Enter a whole number from 1 to ${String(MOST_TOOLS)}`

/** An agent as it is now, to be edited. */
export function draftOf({ name, profile }: Pick<AgentView, 'name' | 'profile'>): ProfileDraft {
  const { toolCap, appLimit, ...others } = profile
  return { ...others, name, toolCap: String(toolCap), appLimit: appLimit?.toString() ?? '' }
}

/** Whether two drafts mean the same. */
export function isSameDraft(one: ProfileDraft, other: ProfileDraft): boolean {
  return textOf(one) === textOf(other)
}

function textOf(draft: ProfileDraft): string {
  return JSON.stringify(
    Object.entries(draft).sort(([first], [second]) => first.localeCompare(second)),
  )
}

/** A number of tools as it is typed; undefined where it is none. */
export function typedTools(text: string): number | undefined {
  const read = AgentProfile.shape.toolCap.safeParse(Number(text))
  return /^\d+$/u.test(text.trim()) && read.success ? read.data : undefined
}

/** Why a typed limit of an app is none; it may be empty. */
export function appLimitProblem(text: string): string | undefined {
  const isFine = text.trim() === '' || typedTools(text) !== undefined
  return isFine ? undefined : `${NUMBER_PROBLEM}, or nothing.`
}

/** Reads a draft; of the servers that it names those stay that are there. */
export function checkedProfile(
  draft: ProfileDraft,
  installationIds: readonly string[],
): CheckedProfile {
  const { name, toolCap, appLimit, servers, ...others } = draft
  const cap = typedTools(toolCap)
  const problems: DraftProblems = {
    ...(name.trim() === '' && { name: 'Give the agent a name.' }),
    ...(cap === undefined && { toolCap: `${NUMBER_PROBLEM}.` }),
    ...(appLimitProblem(appLimit) !== undefined && { appLimit: appLimitProblem(appLimit) }),
  }
  if (cap === undefined || Object.keys(problems).length > 0) return { problems }
  const limit = typedTools(appLimit)
  return {
    name: name.trim(),
    profile: {
      ...others,
      toolCap: cap,
      ...(limit !== undefined && { appLimit: limit }),
      servers: servers.kind === 'all' ? servers : { kind: 'list', list: there(servers.list) },
    },
  }

  function there<T extends { readonly installationId: string }>(list: readonly T[]): T[] {
    return list.filter(({ installationId }) => installationIds.includes(installationId))
  }
}
