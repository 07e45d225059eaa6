/** What can be tried of a server. */
const TOOL_RUN_KINDS = ['tool', 'resource', 'template', 'prompt'] as const
export type ToolRunKind = (typeof TOOL_RUN_KINDS)[number]

/** Whether a part of an address names something that can be tried. */
export function isToolRunKind(text: string): text is ToolRunKind {
  return TOOL_RUN_KINDS.some((kind) => kind === text)
}

/**
 * The place where something of a server is tried: a tool or prompt by its name, a resource by its address, a template
 * by its pattern. The router decodes a path once by itself, so the name is encoded twice: `a%20b` stays as it is.
 */
export function toolRunPlace(installationId: string, kind: ToolRunKind, name: string): string {
  const once = encodeURIComponent(name.toWellFormed())
  return `/servers/${installationId}/try/${kind}/${encodeURIComponent(once)}`
}

/** The name as it was before `trialPlace`, from what the router gives; undefined where it is none. */
export function nameOfPlace(param: string): string | undefined {
  try {
    return decodeURIComponent(param)
  } catch (cause) {
    if (cause instanceof URIError) return undefined
    throw cause
  }
}
