/** Where the key of an agent lies in the secret store; the bridge fetches it there. */
export function agentSecretName(agentId: string): string {
  return `agent/${agentId}`
}
