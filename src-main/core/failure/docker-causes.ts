import type { CauseRow } from './cause-row'

const LOG = { kind: 'viewLog' } as const
const CONFIGURE = { kind: 'configure' } as const
/** Settings, Network is no step here: Docker's daemon reads none of it. */
const OWN_PROXY =
  'Set the proxy in Docker itself: Settings > Resources > Proxies in Docker Desktop, or /etc/docker/daemon.json on Linux.'

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
      'The -t or --tty option needs a terminal, which servers don’t have. Remove that option.',
    step: { kind: 'configure' },
  },
  {
    causeId: 'docker-proxy-password',
    says: [daemonSays('Proxy Authentication Required')],
    sentence: () => `The proxy requires a password from Docker. ${OWN_PROXY}`,
    step: LOG,
  },
  {
    causeId: 'docker-certificate',
    says: [daemonSays('x509: certificate signed by unknown authority')],
    sentence: () =>
      'Docker doesn’t trust the image registry’s certificate, often because of a company proxy. Add the root certificate to the system, then restart Docker.',
    step: LOG,
  },
  {
    causeId: 'docker-unreached',
    says: [
      daemonSays(
        String.raw`(?:proxyconnect tcp|dial tcp|TLS handshake timeout|Client\.Timeout exceeded|context deadline exceeded)`,
      ),
    ],
    sentence: () => `Docker can’t reach the image registry. ${OWN_PROXY}`,
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
      `The image ${image} doesn’t exist, or its registry requires sign-in. Check the name, or sign in with docker login.`,
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
      'The image was built for another processor. Choose an image for this computer’s processor.',
    step: CONFIGURE,
  },
]

/** The daemon's own words alone: a server in a container may say the same of a service that it uses. */
function daemonSays(words: string): RegExp {
  return new RegExp(String.raw`^(?:docker: )?Error response from daemon: .*${words}`)
}
