#!/bin/bash
# Runs a one-node Kubernetes in its own network, mount and process namespaces, which end with this script. kubernetes.ts
# starts it with FOLDER, ADDRESS (with the prefix length), TOKEN and PATH.
set -euo pipefail
mount --make-rprivate / && mount --make-rshared /
ip=${ADDRESS%/*}
ip link set lo up
while ! ip link show carillon0 >/dev/null 2>&1; do sleep 0.05; done
ip address add "$ADDRESS" dev carillon0
ip link set carillon0 up
for file in net/ipv4/ip_forward net/bridge/bridge-nf-call-iptables; do [ -e "/proc/sys/$file" ] && echo 1 > "/proc/sys/$file"; done
mkdir -p "$FOLDER"/{etcd,kubelet,containerd,run,cni,logs,certs}
cd "$FOLDER"

cat > kubeconfig <<END
apiVersion: v1
kind: Config
clusters: [{ name: k, cluster: { server: 'https://$ip:6443', insecure-skip-tls-verify: true } }]
users: [{ name: k, user: { token: '$TOKEN' } }]
contexts: [{ name: k, context: { cluster: k, user: k } }]
current-context: k
END
printf '%s,admin,admin,"system:masters"\n' "$TOKEN" > tokens
chmod 600 kubeconfig tokens
cat > cni/10-bridge.conflist <<END
{ "cniVersion": "1.0.0", "name": "pods", "plugins": [{ "type": "bridge", "bridge": "cni0", "isGateway": true, "ipMasq": true, "hairpinMode": true,
  "ipam": { "type": "host-local", "ranges": [[{ "subnet": "10.244.0.0/24" }]], "routes": [{ "dst": "0.0.0.0/0" }], "dataDir": "$FOLDER/cni-data" } }, { "type": "loopback" }] }
END
sed -i 's/, { "type": "loopback" }//' cni/10-bridge.conflist
cat > containerd.toml <<END
version = 2
root = "$FOLDER/containerd"
state = "$FOLDER/run/containerd"
disabled_plugins = ["io.containerd.snapshotter.v1.btrfs", "io.containerd.snapshotter.v1.aufs", "io.containerd.snapshotter.v1.zfs", "io.containerd.snapshotter.v1.devmapper", "io.containerd.internal.v1.tracing", "io.containerd.tracing.processor.v1.otlp"]
[grpc]
  address = "$FOLDER/run/containerd.sock"
[plugins."io.containerd.grpc.v1.cri"]
  sandbox_image = "registry.k8s.io/pause:3.10"
  restrict_oom_score_adj = true
  disable_apparmor = true
  disable_tcp_service = true
  [plugins."io.containerd.grpc.v1.cri".cni]
    bin_dir = "$CNI_BIN"
    conf_dir = "$FOLDER/cni"
END
cat > kubelet.yaml <<END
apiVersion: kubelet.config.k8s.io/v1beta1
kind: KubeletConfiguration
authentication: { anonymous: { enabled: true }, webhook: { enabled: false } }
authorization: { mode: AlwaysAllow }
cgroupDriver: cgroupfs
cgroupsPerQOS: false
enforceNodeAllocatable: []
failCgroupV1: false
failSwapOn: false
clusterDNS: ['$ip']
clusterDomain: cluster.local
containerRuntimeEndpoint: unix://$FOLDER/run/containerd.sock
evictionHard: { memory.available: 1Mi, nodefs.available: 0%, imagefs.available: 0%, nodefs.inodesFree: 0%, imagefs.inodesFree: 0% }
imageGCHighThresholdPercent: 100
maxPods: 110
resolvConf: $FOLDER/resolv.conf
podLogsDir: $FOLDER/pods
localStorageCapacityIsolation: false
END
: > resolv.conf
printf '.:53 {\n  errors\n  bind %s\n  hosts %s/hosts {\n    ttl 5\n    fallthrough\n  }\n  kubernetes cluster.local {\n    kubeconfig %s/kubeconfig\n    ttl 1\n  }\n}\n' "$ip" "$FOLDER" "$FOLDER" > Corefile
touch hosts

# Starts a program; all end when one of them ends.
run() { name=$1; shift; "$@" > "logs/$name.log" 2>&1 & }
run etcd etcd --data-dir etcd --listen-client-urls http://127.0.0.1:2379 --advertise-client-urls http://127.0.0.1:2379 --listen-peer-urls http://127.0.0.1:2380 --unsafe-no-fsync
run containerd containerd --config containerd.toml
run kube-apiserver kube-apiserver --etcd-servers http://127.0.0.1:2379 --bind-address "$ip" --advertise-address "$ip" --secure-port 6443 --cert-dir certs --service-cluster-ip-range 10.96.0.0/16 \
  --service-account-issuer https://kubernetes.default.svc --service-account-key-file sa.key --service-account-signing-key-file sa.key --token-auth-file tokens --authorization-mode AlwaysAllow --allow-privileged --kubelet-preferred-address-types InternalIP
until kubectl --kubeconfig kubeconfig get --raw /readyz >/dev/null 2>&1; do sleep 0.2; done
run kube-controller-manager kube-controller-manager --kubeconfig kubeconfig --leader-elect=false --service-account-private-key-file sa.key
run kube-scheduler kube-scheduler --kubeconfig kubeconfig --leader-elect=false
run kube-proxy kube-proxy --kubeconfig kubeconfig --hostname-override node --proxy-mode iptables --cluster-cidr 10.244.0.0/24 --conntrack-max-per-core 0 --conntrack-tcp-timeout-established 0s --conntrack-tcp-timeout-close-wait 0s
run coredns coredns -conf Corefile
run kubelet kubelet --config kubelet.yaml --kubeconfig kubeconfig --hostname-override node --node-ip "$ip" --root-dir "$FOLDER/kubelet"
wait -n
echo "a part of Kubernetes ended" >&2
