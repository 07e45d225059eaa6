import type { CauseRow } from './cause-row'

const LOG = { kind: 'viewLog' } as const
const CONFIGURE = { kind: 'configure' } as const
/** Settings, Network is no step here: Docker's daemon reads none of it. */
const OWN_PROXY =
  'Docker fetches images by itself, with a proxy setting of its own: in Docker Desktop under Settings, Resources, Proxies; on Linux "proxies" in /etc/docker/daemon.json, after which Docker is restarted.'

/** What Docker's daemon says where it cannot fetch an image. */
export const DOCKER_CAUSES: readonly CauseRow[] = [
  {
    causeId: 'container-terminal',
    isPermanent: true,
    says: [
      /^(?:docker: |Error: |FATA\[\d{4}\] )?(?:the input device is not a TTY|cannot attach stdin to a TTY-enabled container|cannot enable tty mode on non tty input)/i,
      /provided file is not a console/,
    ],
    sentence: () =>
      'The command asks for a terminal with -t or --tty, and a server has none. Remove that option.',
    step: { kind: 'configure' },
  },
  {
    causeId: 'docker-proxy-password',
    says: [daemonSays('Proxy Authentication Required')],
    sentence: () => `The proxy asks Docker for a password. ${OWN_PROXY}`,
    step: LOG,
  },
  {
    causeId: 'docker-certificate',
    says: [daemonSays('x509: certificate signed by unknown authority')],
    sentence: () =>
      'Docker does not trust the certificate that answered it, as behind a company proxy with an authority of its own. Docker fetches images by itself: Docker Desktop trusts what the system trusts once it is restarted; on Linux the authority goes to what the system trusts, or into /etc/docker/certs.d for one registry.',
    step: LOG,
  },
  {
    causeId: 'docker-unreached',
    says: [
      daemonSays(
        String.raw`(?:proxyconnect tcp|dial tcp|TLS handshake timeout|Client\.Timeout exceeded|context deadline exceeded)`,
      ),
    ],
    sentence: () =>
      `Docker does not reach the registry of the image: there is no network, or the proxy is missing or not the right one. ${OWN_PROXY}`,
    step: LOG,
  },
  {
    causeId: 'image-missing',
    isPermanent: true,
    says: [
      /^(?:docker: )?Error response from daemon: manifest for (\S+) not found\b/,
      /^(?:docker: )?Error response from daemon: pull access denied for ([^\s,]+)/,
      /^Error: initializing source docker:\/\/(\S+): .*\bmanifest unknown\b/,
    ],
    sentence: (image) =>
      `The image ${image} does not exist, or its registry requires a sign-in. Check the name, or sign in with docker login.`,
    step: CONFIGURE,
  },
  {
    causeId: 'image-architecture',
    isPermanent: true,
    says: [
      /^(?:\{.*"msg":")?exec (?:container process )?\S*: ?exec format error/i,
      /\bexec user process caused: exec format error\b/,
      /\bno matching manifest for \S+ in the manifest list entries\b/,
    ],
    sentence: () =>
      'The image was built for another processor. Choose an image for the processor of this computer.',
    step: CONFIGURE,
  },
]

/** The daemon's own words alone: a server in a container may say the same of a service that it uses. */
function daemonSays(words: string): RegExp {
  return new RegExp(String.raw`^(?:docker: )?Error response from daemon: .*${words}`)
}
