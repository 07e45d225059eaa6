import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'

import type { Target } from './target'

/** An agent as most are: the SDK's own client. The peers' metrics that the bars come from were taken with it. */
export class SdkAgent {
  private constructor(private readonly client: Client) {}

  /** Connects in a session, or without one in the protocol version that is pinned. */
  static async connect(
    { url, headers = [] }: Pick<Target, 'url' | 'headers'>,
    pin?: string,
  ): Promise<SdkAgent> {
    const client = new Client(
      { name: 'bench', version: '0' },
      { versionNegotiation: { mode: pin === undefined ? 'legacy' : { pin } } },
    )
    const requestInit = { headers: headers[0] ?? {} }
    await client.connect(new StreamableHTTPClientTransport(new URL(url), { requestInit }))
    return new SdkAgent(client)
  }

  /** Rejects where the call fails, or the tool says that it did. */
  async call(name: string, args: Record<string, unknown>): Promise<void> {
    const result = await this.client.callTool({ name, arguments: args })
    if (result.isError === true) throw new Error(`${name} failed: ${JSON.stringify(result)}`)
  }

  close(): void {
    void this.client.close()
  }
}
