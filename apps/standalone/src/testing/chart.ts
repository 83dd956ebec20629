import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import type { Docker } from '@carillon/devtools/docker';
import { startKubernetes, type Kubernetes } from '@carillon/devtools/kubernetes';

/** Starts Kubernetes beside the servers of a Docker network, whose names its pods resolve. */
export async function startBeside(docker: Docker, network: string, node: string): Promise<Kubernetes> {
  const [{ Id, IPAM, Containers }] = JSON.parse(await docker.run(['network', 'inspect', network])) as [
    {
      Id: string;
      IPAM: { Config: { Subnet: string }[] };
      Containers: Record<string, { Name: string; IPv4Address: string }>;
    },
  ];
  const [subnet, length] = IPAM.Config[0]!.Subnet.split('/') as [string, string];
  const address = subnet.split('.').with(2, '255').with(3, '200').join('.');
  const at = (name: string): string =>
    Object.values(Containers)
      .find((c) => c.Name.includes(`-${name}-`))!
      .IPv4Address.split('/')[0]!;
  const servers = ['postgres', 'redis', 'kafka'].map((name) => [name, at(name)] as const);
  const kubernetes = await startKubernetes(node, { name: `br-${Id.slice(0, 12)}`, address: `${address}/${length}` });
  for (const [name, ip] of servers) kubernetes.name(name, ip);
  return kubernetes;
}

/** Adds the volume for the chart's claim of uploaded files; the node has no provisioner. */
export async function addVolume(kubernetes: Kubernetes, path: string): Promise<void> {
  mkdirSync(path);
  // The pods' user is not the owner.
  chmodSync(path, 0o777);
  const volume = {
    apiVersion: 'v1',
    kind: 'PersistentVolume',
    metadata: { name: 'files' },
    spec: { capacity: { storage: '50Gi' }, accessModes: ['ReadWriteMany'], hostPath: { path } },
  };
  const file = `${path}.json`;
  writeFileSync(file, JSON.stringify(volume));
  await kubernetes.kubectl(['apply', '-f', file]);
}

/** Returns the options of Helm for an image and the servers beside the node. */
export const chartValues = (address: string, tag: string): string[] => [
  '--set',
  [
    `image.tag=${tag}`,
    `publicUrl=http://${address}`,
    'database.host=postgres',
    'redis.host=redis',
    'kafka.brokers={kafka:9092}',
    'kafka.admin.mechanism=PLAIN',
    'kafka.caSecret=kafka-ca',
    'install.keepFirstPassword=1',
    'gateway.service.type=NodePort',
    'mqttGateway.service.type=NodePort',
    // The cluster has nothing that gives a LoadBalancer its address.
    'phones.service.type=NodePort',
    // Two cores must be enough for each pod beside its successor.
    ...[
      'services.auth',
      'services.org',
      'services.device',
      'services.provisioning',
      'services.resource',
      'services.task',
      'services.notification',
      'services.license',
      'gateway',
      'mqttGateway',
    ].map((part) => `${part}.resources.requests.cpu=10m`),
  ].join(','),
];

/** Returns the address of a service of the node. */
export const portOf = async (kubernetes: Kubernetes, service: string): Promise<string> =>
  `${kubernetes.address}:${await kubernetes.kubectl(['get', 'service', service, '-o', 'jsonpath={.spec.ports[0].nodePort}'])}`;

/** Returns the image of each deployment by its name. */
export async function imagesOf(kubernetes: Kubernetes): Promise<Map<string, string>> {
  const images = await kubernetes.kubectl([
    'get',
    'deployments',
    '-o',
    'jsonpath={range .items[*]}{.metadata.name}={.spec.template.spec.containers[0].image}{"\\n"}{end}',
  ]);
  return new Map(
    images
      .trim()
      .split('\n')
      .map((line) => line.split('=') as [string, string]),
  );
}
