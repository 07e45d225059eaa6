/** Returns the name of an agent's key in the secret store; the bridge reads the key there. */
export function agentSecretName(agentId: string): string {
  return `agent/${agentId}`
}
