import { certificateSettings, type BrokerCertificate } from './kafka.certificate.ts';
import { KafkaUnavailable } from './kafka.jars.ts';

/** User with all permissions: for traffic between brokers and for granting permissions. */
export interface KafkaAdmin {
  user: string;
  password: string;
}

export interface KafkaSettings {
  /** Ports that clients get instead, by node: those of a proxy on 127.0.0.1. */
  advertised?: readonly number[];
  /** Requires logins with permissions; without it the broker accepts all clients. */
  admin?: KafkaAdmin;
  /** With `admin`: uses TLS everywhere, with this certificate of the brokers. */
  certificate?: BrokerCertificate;
  /** Additional lines of server.properties. */
  settings?: Record<string, string>;
}

/** What a data folder keeps for its next start: the cluster's id, and two ports of each node. */
export interface Identity {
  cluster: string;
  ports: number[];
}

/** Returns the settings of every broker for the number of nodes. */
export function brokerSettings(nodes: number): Record<string, string> {
  const copies = String(nodes);
  const inSync = nodes === 1 ? '1' : '2';
  return {
    'default.replication.factor': copies,
    'min.insync.replicas': inSync,
    'auto.create.topics.enable': 'false',
    'offsets.topic.replication.factor': copies,
    'offsets.topic.num.partitions': '4',
    'transaction.state.log.replication.factor': copies,
    'transaction.state.log.min.isr': inSync,
    'transaction.state.log.num.partitions': '4',
    'share.coordinator.state.topic.replication.factor': copies,
    'share.coordinator.state.topic.min.isr': inSync,
    'share.coordinator.state.topic.num.partitions': '4',
    'group.initial.rebalance.delay.ms': '0',
    'group.min.session.timeout.ms': '1000',
    // With the default of 9 s a killed broker is refused as a duplicate of itself when it comes back.
    'broker.session.timeout.ms': '1500',
    'broker.heartbeat.interval.ms': '300',
    // A killed member is removed after 6 s (default: 45), and a new member gets its partitions at once.
    'group.consumer.min.session.timeout.ms': '1000',
    'group.consumer.session.timeout.ms': '6000',
    'group.consumer.min.heartbeat.interval.ms': '100',
    'group.consumer.heartbeat.interval.ms': '1000',
    'group.consumer.min.assignment.interval.ms': '0',
    'group.consumer.assignment.interval.ms': '0',
    'log.cleaner.dedupe.buffer.size': '8388608',
    'offset.metadata.max.bytes': '4096',
  };
}

/**
 * Returns the settings of a broker with logins. CLIENT is the clients' listener, CONTROLLER that of controllers. The
 * settings contain the administrator (PLAIN), who must exist before the first user; the brokers store users (SCRAM).
 */
export function loginSettings({ user, password }: KafkaAdmin, certificate: BrokerCertificate | undefined) {
  const protocol = certificate === undefined ? 'SASL_PLAINTEXT' : 'SASL_SSL';
  if (!/^[\w-]+$/.test(user + password)) throw new KafkaUnavailable('name and password have letters, digits, - and _');
  const plain = [
    'org.apache.kafka.common.security.plain.PlainLoginModule required',
    `username="${user}" password="${password}" user_${user}="${password}";`,
  ].join(' ');
  return {
    'listener.security.protocol.map': `CLIENT:${protocol},CONTROLLER:${protocol}`,
    'inter.broker.listener.name': 'CLIENT',
    'sasl.mechanism.inter.broker.protocol': 'PLAIN',
    'sasl.mechanism.controller.protocol': 'PLAIN',
    'listener.name.client.sasl.enabled.mechanisms': 'SCRAM-SHA-256,PLAIN',
    'listener.name.client.scram-sha-256.sasl.jaas.config':
      'org.apache.kafka.common.security.scram.ScramLoginModule required;',
    'listener.name.client.plain.sasl.jaas.config': plain,
    'listener.name.controller.sasl.enabled.mechanisms': 'PLAIN',
    'listener.name.controller.plain.sasl.jaas.config': plain,
    'authorizer.class.name': 'org.apache.kafka.metadata.authorizer.StandardAuthorizer',
    'super.users': `User:${user}`,
    ...(certificate ? certificateSettings(certificate) : {}),
  };
}

/** Returns the text of server.properties of one node. */
export function serverProperties(id: number, { ports }: Identity, options: KafkaSettings, data: string): string {
  const nodes = ports.length / 2;
  const [port, controller] = [ports[2 * id - 2]!, ports[2 * id - 1]!];
  return Object.entries({
    'process.roles': 'broker,controller',
    'node.id': String(id),
    'log.dirs': data,
    'controller.quorum.voters': Array.from({ length: nodes }, (_, i) => `${i + 1}@127.0.0.1:${ports[2 * i + 1]}`).join(
      ',',
    ),
    listeners: `CLIENT://127.0.0.1:${port},CONTROLLER://127.0.0.1:${controller}`,
    'advertised.listeners': `CLIENT://127.0.0.1:${options.advertised?.[id - 1] ?? port}`,
    'listener.security.protocol.map': 'CLIENT:PLAINTEXT,CONTROLLER:PLAINTEXT',
    'controller.listener.names': 'CONTROLLER',
    'inter.broker.listener.name': 'CLIENT',
    ...brokerSettings(nodes),
    ...(options.admin ? loginSettings(options.admin, options.certificate) : {}),
    ...options.settings,
  })
    .map(([key, value]) => `${key}=${value}\n`)
    .join('');
}
