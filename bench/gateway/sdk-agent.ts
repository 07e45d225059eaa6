import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'

import type { Target } from './target'

/** A typical agent: the SDK's own client, which was also used to measure the peers that the bars come from. */
export class SdkAgent {
  private constructor(private readonly client: Client) {}

  /** Connects in a session, or without one in the pinned protocol version. */
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

  /** Rejects if the call fails, or the tool reports an error. */
  async call(name: string, args: Record<string, unknown>): Promise<void> {
    const result = await this.client.callTool({ name, arguments: args })
    if (result.isError === true) throw new Error(`${name} failed: ${JSON.stringify(result)}`)
  }

  close(): void {
    void this.client.close()
  }
}
