import { spawn } from 'node:child_process';
import { generateKeyPairSync, randomBytes } from 'node:crypto';
import { appendFileSync, existsSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { kubernetesVersion } from './helm.ts';
import { builtWithGo, DockerUnavailable, execute, unpacked } from './cached-tool.ts';
import type { Docker } from './docker-client.ts';

const script = resolve(import.meta.dirname, '../../../../deploy/tools/kubernetes/node.sh');
const parts = [
  'kube-apiserver',
  'kube-controller-manager',
  'kube-scheduler',
  'kube-proxy',
  'kubelet',
  'kubectl',
  'coredns',
];
/** Debian packages that the node needs, unpacked only. */
const packages = [
  'containerd',
  'runc',
  'etcd-server',
  'containernetworking-plugins',
  'iptables',
  'libip4tc2',
  'libip6tc2',
  'libnetfilter-conntrack3',
  'libnfnetlink0',
  'libxtables12',
  'libnftnl11',
  'conntrack',
  'ethtool',
  'socat',
];

export interface Kubernetes {
  /** Address of the node in compose's network, for its NodePorts. */
  address: string;
  kubeconfig: string;
  kubectl(args: readonly string[]): Promise<string>;
  /** Copies images from an engine into the node. */
  load(docker: Docker, tags: readonly string[]): Promise<void>;
  /** Adds a host name that pods can resolve. */
  name(host: string, address: string): void;
  stop(): Promise<void>;
}

/** Builds the programs once, in some minutes. Returns their folder. */
export const kubernetesPrograms = (): Promise<string> =>
  builtWithGo(
    'kubernetes',
    [['.']],
    `-X k8s.io/component-base/version.gitVersion=v${kubernetesVersion} -X k8s.io/component-base/version.gitMajor=1 -X k8s.io/component-base/version.gitMinor=36`,
  );

/**
 * Starts a one-node Kubernetes from its sources and Debian packages, as root, in a network namespace that is joined to
 * a Docker bridge. It changes nothing on the machine: everything lives in namespaces that end with `stop`.
 */
export async function startKubernetes(folder: string, bridge: { name: string; address: string }): Promise<Kubernetes> {
  if (process.getuid?.() !== 0) throw new DockerUnavailable('Kubernetes needs root.');
  const program = join(await kubernetesPrograms(), 'kubernetes');
  const debian = await unpacked('kubernetes-node', packages);
  mkdirSync(join(folder, 'bin'), { recursive: true });
  for (const name of parts) if (!existsSync(join(folder, 'bin', name))) symlinkSync(program, join(folder, 'bin', name));
  for (const name of [
    'iptables',
    'ip6tables',
    'iptables-save',
    'iptables-restore',
    'ip6tables-save',
    'ip6tables-restore',
  ])
    if (!existsSync(join(folder, 'bin', name)))
      symlinkSync(join(debian, 'usr/sbin/xtables-legacy-multi'), join(folder, 'bin', name));
  writeFileSync(
    join(folder, 'sa.key'),
    generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey.export({ type: 'pkcs8', format: 'pem' }),
    { mode: 0o600 },
  );
  const env: NodeJS.ProcessEnv = {
    FOLDER: folder,
    ADDRESS: bridge.address,
    TOKEN: randomBytes(24).toString('hex'),
    CNI_BIN: join(debian, 'usr/lib/cni'),
    PATH: [
      join(folder, 'bin'),
      join(debian, 'usr/bin'),
      join(debian, 'usr/sbin'),
      join(debian, 'sbin'),
      '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin',
    ].join(':'),
    LD_LIBRARY_PATH: [join(debian, 'usr/lib/x86_64-linux-gnu'), join(debian, 'lib/x86_64-linux-gnu')].join(':'),
    XTABLES_LIBDIR: join(debian, 'usr/lib/x86_64-linux-gnu/xtables'),
    HOME: folder,
  };
  // The kubelet sets these for the whole machine, so they are restored afterwards.
  const tunables = [
    'vm/overcommit_memory',
    'vm/panic_on_oom',
    'kernel/panic',
    'kernel/panic_on_oops',
    'kernel/keys/root_maxkeys',
    'kernel/keys/root_maxbytes',
  ]
    .map((name) => join('/proc/sys', name))
    .map((file) => ({ file, before: readFileSync(file, 'utf8') }));
  const node = spawn(
    'setpriv',
    [
      '--pdeathsig',
      'KILL',
      'unshare',
      '--net',
      '--mount',
      '--pid',
      '--fork',
      '--kill-child',
      '--mount-proc',
      'bash',
      script,
    ],
    { env, stdio: ['ignore', 'ignore', 'inherit'] },
  );
  const ended = new Promise<void>((done) => {
    node.once('exit', () => done());
  });
  const address = bridge.address.split('/')[0]!;
  const kubeconfig = join(folder, 'kubeconfig');
  const kubectl = (args: readonly string[]): Promise<string> =>
    execute(join(folder, 'bin/kubectl'), ['--kubeconfig', kubeconfig, ...args], { env });
  const stop = async (): Promise<void> => {
    // Its child is the namespace's first process, so all processes end with it. Nothing needs an orderly shutdown.
    node.kill('SIGKILL');
    await ended;
    for (const { file, before } of tunables) if (readFileSync(file, 'utf8') !== before) writeFileSync(file, before);
  };
  try {
    // A veth pair joins the namespace to the bridge; both ends disappear with the namespace.
    const veth = `cari${process.pid}`.slice(0, 14);
    const wait = (ms: number): Promise<void> =>
      new Promise((r) => {
        setTimeout(r, ms);
      });
    for (let tries = 0; ; tries++) {
      const [child] = (await execute('pgrep', ['-P', String(node.pid)]).catch(() => '')).trim().split('\n');
      if (child) {
        const moved = await execute('ip', [
          'link',
          'add',
          veth,
          'type',
          'veth',
          'peer',
          'name',
          'carillon0',
          'netns',
          child,
        ]).then(
          () => true,
          () => false,
        );
        if (moved) break;
      }
      if (tries > 50) throw new Error('the node has no network');
      await wait(100);
    }
    await execute('ip', ['link', 'set', veth, 'master', bridge.name, 'up']);
    for (const until = Date.now() + 120_000; ; await wait(500)) {
      if (
        (await kubectl(['get', 'node', 'node', '-o', 'jsonpath={.status.conditions[?(@.type=="Ready")].status}']).catch(
          () => '',
        )) === 'True'
      )
        break;
      if (node.exitCode !== null || Date.now() > until) throw new Error(`Kubernetes is not ready; see ${folder}/logs`);
    }
    await kubectl(['wait', '--for=create', 'serviceaccount/default', '--timeout=60s']);
  } catch (error) {
    await stop();
    throw error;
  }
  return {
    address,
    kubeconfig,
    kubectl,
    stop,
    async load(docker, tags) {
      const file = join(folder, 'images.tar');
      await docker.run(['save', '-o', file, ...tags]);
      await execute(
        join(debian, 'usr/bin/ctr'),
        ['-a', join(folder, 'run/containerd.sock'), '-n', 'k8s.io', 'images', 'import', file],
        { env },
      );
      rmSync(file);
    },
    name(host, at) {
      appendFileSync(join(folder, 'hosts'), `${at} ${host}\n`);
    },
  };
}
