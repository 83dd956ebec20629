import { defineErrors } from '../define/error.ts';

/** Accounts at makers' redirect services, and why a service does not take a device (EDGE-09). */
export const redirectServiceErrors = defineErrors('redirectService', {
  makerTaken: {
    status: 409,
    en_US: 'Your company already has an account for this maker. Edit that one.',
    zh_CN: '贵公司已有该厂商的账户。请编辑现有账户。',
    ko: '이 제조사의 계정이 이미 있습니다. 기존 계정을 편집하세요.',
    pt_BR: 'Sua empresa já tem uma conta deste fabricante. Edite aquela.',
    help: [
      'A phone asks one service of its maker, so a company has one account for each maker.',
      'Edit the account, or delete it before you add another one.',
    ],
  },
  narrowed: {
    status: 403,
    en_US: 'Redirect services belong to the whole company. Only users who see all organizations can change them.',
    zh_CN: '重定向服务属于整个公司：只有可查看全部组织的用户才能更改。',
    ko: '리디렉션 서비스는 회사 전체에 속합니다. 모든 조직을 볼 수 있는 사용자만 변경할 수 있습니다.',
    pt_BR:
      'Os serviços de redirecionamento pertencem a toda a empresa. Só quem vê todas as organizações pode alterá-los.',
    help: [
      'The caller sees some organizations only, and an account is for the devices of all of them.',
      'Ask a user who sees all organizations.',
    ],
  },
  serverUnknown: {
    status: 409,
    en_US:
      'This installation does not know an address at which phones reach it. Ask its operator to set CARILLON_PHONE_URL.',
    zh_CN: '此系统不知道话机可访问的自身地址。请让运营商设置 CARILLON_PHONE_URL。',
    ko: '이 시스템은 전화기가 접속할 주소를 알지 못합니다. 운영자에게 CARILLON_PHONE_URL 설정을 요청하세요.',
    pt_BR:
      'Esta instalação não conhece um endereço em que os telefones a alcancem. Peça ao operador que defina CARILLON_PHONE_URL.',
    help: [
      'Neither `CARILLON_PHONE_URL` nor `CARILLON_PUBLIC_URL` names a host that other machines reach, so there is nothing to register.',
      'The operator sets `CARILLON_PHONE_URL` to the address of the port for phones.',
    ],
  },
  off: {
    status: 409,
    en_US: 'This redirect service is disabled. Enable it first.',
    zh_CN: '该重定向服务已禁用，请先启用。',
    ko: '이 리디렉션 서비스는 사용 안 함 상태입니다. 먼저 사용하도록 설정하세요.',
    pt_BR: 'Este serviço de redirecionamento está desativado. Ative-o primeiro.',
    help: ['A disabled service is told nothing.', 'Enable it on its page.'],
  },
  secretEmpty: {
    status: 400,
    en_US: 'Enter the password or key. It is not kept when the address or the user changes.',
    zh_CN: '请输入密码或密钥。更改地址或用户后不会保留原有内容。',
    ko: '비밀번호나 키를 입력하세요. 주소나 사용자가 바뀌면 유지되지 않습니다.',
    pt_BR: 'Informe a senha ou a chave. Ela não é mantida quando o endereço ou o usuário muda.',
    help: [
      'No secret is stored for this service and user, so that a stored one never goes to another server.',
      'Enter the password or key again.',
    ],
  },
  addressWrong: {
    status: 400,
    en_US: 'This is not the address of a service. Example: {example}',
    zh_CN: '这不是服务地址。例如：{example}',
    ko: '서비스 주소가 아닙니다. 예: {example}',
    pt_BR: 'Isto não é o endereço de um serviço. Exemplo: {example}',
    help: [
      'The address is no URL, or has a user, a query or a fragment.',
      'Enter scheme, host and path only; the user and the secret have fields of their own.',
    ],
  },
  httpsNeeded: {
    status: 400,
    en_US: 'The address must begin with https://. The operator can allow others in CARILLON_OUTBOUND_ALLOWED.',
    zh_CN: '地址必须以 https:// 开头。其他地址可由运营商在 CARILLON_OUTBOUND_ALLOWED 中允许。',
    ko: '주소는 https://로 시작해야 합니다. 다른 주소는 운영자가 CARILLON_OUTBOUND_ALLOWED에서 허용할 수 있습니다.',
    pt_BR: 'O endereço deve começar com https://. O operador pode permitir outros em CARILLON_OUTBOUND_ALLOWED.',
    help: [
      'Over http the secret of the account would be readable on its way.',
      'Use https; the operator allows a host with `CARILLON_OUTBOUND_ALLOWED`.',
    ],
  },
  targetRefused: {
    status: 400,
    en_US:
      'The service can’t be reached at this address. It must be public, at port 443, 8083 or 8443. The operator can allow others in CARILLON_OUTBOUND_ALLOWED.',
    zh_CN:
      '无法通过此地址连接该服务。地址必须可公开访问并使用端口 443、8083 或 8443；其他地址可由运营商在 CARILLON_OUTBOUND_ALLOWED 中允许。',
    ko: '이 주소로 서비스에 연결할 수 없습니다. 공개 주소이고 포트 443, 8083 또는 8443이어야 하며, 다른 주소는 운영자가 CARILLON_OUTBOUND_ALLOWED에서 허용할 수 있습니다.',
    pt_BR:
      'O serviço não pode ser acessado neste endereço. Ele deve ser público, na porta 443, 8083 ou 8443. O operador pode permitir outros em CARILLON_OUTBOUND_ALLOWED.',
    help: [
      'The name is unknown, or it leads to an internal address or a port where no such service listens.',
      'Use the address that the maker names; the operator allows others with `CARILLON_OUTBOUND_ALLOWED`.',
    ],
  },
  unreachable: {
    status: 400,
    en_US: 'The redirect service does not answer.',
    zh_CN: '重定向服务没有响应。',
    ko: '리디렉션 서비스가 응답하지 않습니다.',
    pt_BR: 'O serviço de redirecionamento não responde.',
    help: [
      'The connection was refused or broken off.',
      'Check the address and firewalls. It is tried again by itself.',
    ],
  },
  tooSlow: {
    status: 400,
    en_US: 'The redirect service took too long to answer.',
    zh_CN: '重定向服务响应超时。',
    ko: '리디렉션 서비스의 응답이 너무 늦습니다.',
    pt_BR: 'O serviço de redirecionamento demorou demais para responder.',
    help: ['An answer did not come in time.', 'Nothing is to be done: it is tried again by itself.'],
  },
  certificateWrong: {
    status: 400,
    en_US: 'The certificate of the redirect service is not trusted.',
    zh_CN: '重定向服务的证书不受信任。',
    ko: '리디렉션 서비스의 인증서를 신뢰할 수 없습니다.',
    pt_BR: 'O certificado do serviço de redirecionamento não é confiável.',
    help: [
      'No public authority signed the certificate, it is for another name, or it has expired.',
      'Check the address.',
    ],
  },
  credentialsWrong: {
    status: 400,
    en_US: 'The redirect service does not accept the user and password or key.',
    zh_CN: '重定向服务不接受该用户与密码或密钥。',
    ko: '리디렉션 서비스가 사용자와 비밀번호 또는 키를 받아들이지 않습니다.',
    pt_BR: 'O serviço de redirecionamento não aceita o usuário e a senha ou chave.',
    help: [
      'The service answered that the account is unknown or the secret is wrong. It is not asked again, so that the maker does not lock the account.',
      'Enter the secret again, then retry. A server clock that is off by more than a minute has the same effect at Snom.',
    ],
  },
  accessRefused: {
    status: 400,
    en_US: 'The account may not register devices at the redirect service. Ask the maker to allow it.',
    zh_CN: '该账户无权在重定向服务中登记设备。请联系厂商开通。',
    ko: '이 계정은 리디렉션 서비스에 장치를 등록할 권한이 없습니다. 제조사에 허용을 요청하세요.',
    pt_BR: 'A conta não pode registrar dispositivos no serviço de redirecionamento. Peça ao fabricante que permita.',
    help: [
      'The service knows the account and refuses the call. Yealink enables registration by MAC for an account on request; a key of Snom needs a role.',
      'Ask the maker, then retry.',
    ],
  },
  unavailable: {
    status: 400,
    en_US: 'The redirect service is not available at the moment.',
    zh_CN: '重定向服务暂时不可用。',
    ko: '리디렉션 서비스를 지금 사용할 수 없습니다.',
    pt_BR: 'O serviço de redirecionamento não está disponível no momento.',
    help: [
      'The service answered with an error of its own, or that it gets too many requests.',
      'Nothing is to be done: it is tried again by itself.',
    ],
  },
  answerWrong: {
    status: 400,
    en_US: 'The redirect service gave an answer that is not understood. Check the address.',
    zh_CN: '无法识别重定向服务的应答，请检查地址。',
    ko: '리디렉션 서비스의 응답을 이해할 수 없습니다. 주소를 확인하세요.',
    pt_BR: 'O serviço de redirecionamento deu uma resposta que não é entendida. Verifique o endereço.',
    help: [
      'The answer is not of this service’s protocol, is a redirect, names another host, or is too large.',
      'Enter the address of the programming interface that the maker names, not that of its web page.',
    ],
  },
  ownedByOther: {
    status: 409,
    en_US: 'Another account at the maker owns this device. Ask its former owner to release it there.',
    zh_CN: '该设备属于厂商处的另一账户。请让原所有者在该服务中释放。',
    ko: '제조사의 다른 계정이 이 장치를 소유합니다. 이전 소유자에게 해제를 요청하세요.',
    pt_BR: 'Outra conta no fabricante é dona deste dispositivo. Peça ao dono anterior que o libere lá.',
    help: [
      'The MAC is registered in another account of the service. It is not tried again by itself, except when a company of this installation releases it.',
      'Have the former owner or the maker release the MAC, then retry.',
    ],
  },
  macWrong: {
    status: 400,
    en_US: 'The maker does not know this MAC. Check the device’s MAC and model.',
    zh_CN: '厂商不认识此 MAC。请检查设备的 MAC 和型号。',
    ko: '제조사가 이 MAC을 알지 못합니다. 장치의 MAC과 모델을 확인하세요.',
    pt_BR: 'O fabricante não conhece este MAC. Verifique o MAC e o modelo do dispositivo.',
    help: [
      'The service refuses the MAC: it is mistyped, or of another maker than the model says.',
      'Correct the device, or retry when the maker has added the MAC.',
    ],
  },
  urlRefused: {
    status: 400,
    en_US: 'The redirect service does not accept the address of this server, {server}.',
    zh_CN: '重定向服务不接受此服务器的地址 {server}。',
    ko: '리디렉션 서비스가 이 서버의 주소 {server}을(를) 받아들이지 않습니다.',
    pt_BR: 'O serviço de redirecionamento não aceita o endereço deste servidor, {server}.',
    help: [
      'The service wants a public address, or one with another scheme or port.',
      'The operator sets `CARILLON_PHONE_URL` to an address that the service accepts.',
    ],
  },
  refused: {
    status: 400,
    en_US: 'The redirect service refuses: {reason}',
    zh_CN: '重定向服务拒绝：{reason}',
    ko: '리디렉션 서비스가 거부했습니다: {reason}',
    pt_BR: 'O serviço de redirecionamento recusa: {reason}',
    help: ['The service answered with an error that is not known here.', 'Ask the maker what it means.'],
  },
});
