/** The page where held tools of a server are approved or refused, at one of them where `name` tells which. */
export function reviewPlace(installationId: string, name?: string): string {
  const at = name === undefined ? '' : `?tool=${encodeURIComponent(name)}`
  return `/servers/${installationId}/review${at}`
}
