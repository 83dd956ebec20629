import { defineErrors } from '../define/error.ts';

export const configErrors = defineErrors('config', {
  logoWrong: {
    status: 400,
    en_US: 'The logo must be a JPG picture under 100 KB.',
    zh_CN: 'Logo 必须是小于 100 KB 的 JPG 图片。',
    ko: '로고는 100KB 미만의 JPG 이미지여야 합니다.',
    pt_BR: 'O logotipo deve ser uma imagem JPG com menos de 100 KB.',
  },
  imageWrong: {
    status: 400,
    en_US: 'The picture must be a JPG or PNG under 100 KB.',
    zh_CN: '图片必须是小于 100 KB 的 JPG 或 PNG。',
    ko: '이미지는 100KB 미만의 JPG 또는 PNG여야 합니다.',
    pt_BR: 'A imagem deve ser JPG ou PNG com menos de 100 KB.',
  },
  faviconWrong: {
    status: 400,
    en_US: 'The favicon must be an .ico file under 10 KB.',
    zh_CN: '网站图标必须是小于 10 KB 的 .ico 文件。',
    ko: '파비콘은 10KB 미만의 .ico 파일이어야 합니다.',
    pt_BR: 'O favicon deve ser um arquivo .ico com menos de 10 KB.',
  },
  pixelsMany: {
    status: 400,
    en_US: 'The picture has {width} × {height} pixels. The maximum is {most} × {most}.',
    zh_CN: '图片为 {width} × {height} 像素，最多支持 {most} × {most}。',
    ko: '이미지가 {width} × {height}픽셀입니다. 최대 {most} × {most}까지 표시할 수 있습니다.',
    pt_BR: 'A imagem tem {width} × {height} pixels. O máximo é {most} × {most}.',
  },
  certificateWrong: {
    status: 400,
    en_US: 'This is not a certificate in PEM format.',
    zh_CN: '这不是 PEM 格式的证书。',
    ko: 'PEM 형식의 인증서가 아닙니다.',
    pt_BR: 'Isto não é um certificado em PEM.',
  },
  certificateExpired: {
    status: 400,
    en_US: 'This certificate has expired: it was valid from {from} to {to}.',
    zh_CN: '该证书已过期：有效期为 {from} 至 {to}。',
    ko: '만료된 인증서입니다. 유효 기간: {from} ~ {to}.',
    pt_BR: 'Este certificado expirou: era válido de {from} a {to}.',
  },
  certificateTwice: {
    status: 409,
    en_US: 'This certificate is already in the list.',
    zh_CN: '该证书已在列表中。',
    ko: '이미 목록에 있는 인증서입니다.',
    pt_BR: 'Este certificado já está na lista.',
  },
  hostWrong: {
    status: 400,
    en_US: 'Enter a host name or address, with a port if it has one. Example: wiki.example.com:8443',
    zh_CN: '请输入主机名称或地址，可带端口。示例：wiki.example.com:8443',
    ko: '호스트 이름 또는 주소를 입력하세요. 포트를 붙일 수 있습니다. 예: wiki.example.com:8443',
    pt_BR: 'Informe o nome ou o endereço do host, com a porta se houver. Exemplo: wiki.example.com:8443',
  },
  fcsServerTwice: {
    status: 400,
    en_US: 'An FCS server with this name already exists.',
    zh_CN: '已存在同名的 FCS 服务器。',
    ko: '같은 이름의 FCS 서버가 이미 있습니다.',
    pt_BR: 'Já existe um servidor FCS com este nome.',
    help: ['Two FCS servers of the installation have the same name.', 'Choose another name.'],
  },
  senderWrong: {
    status: 400,
    en_US: 'Enter an address, or Name <address>.',
    zh_CN: '请输入邮箱地址，或“名称 <地址>”。',
    ko: '주소 또는 “이름 <주소>”를 입력하세요.',
    pt_BR: 'Informe um endereço, ou Nome <endereço>.',
  },
  testFailed: {
    status: 400,
    en_US: 'The email server did not accept the test email: {reason}',
    zh_CN: '邮件服务器未接受测试邮件：{reason}',
    ko: '이메일 서버가 테스트 이메일을 받지 않았습니다: {reason}',
    pt_BR: 'O servidor de e-mail não aceitou o e-mail de teste: {reason}',
  },
  targetRefused: {
    status: 400,
    en_US:
      'This server can’t be reached from here. It must be public and use a standard port. The operator can allow others in CARILLON_OUTBOUND_ALLOWED.',
    zh_CN:
      '无法从此处连接该服务器。服务器必须可公开访问并使用常用端口；其他服务器可由系统运营商在 CARILLON_OUTBOUND_ALLOWED 中允许。',
    ko: '여기에서 이 서버에 연결할 수 없습니다. 공개 서버이면서 일반 포트를 사용해야 하며, 다른 서버는 설치 운영자가 CARILLON_OUTBOUND_ALLOWED에서 허용할 수 있습니다.',
    pt_BR:
      'Este servidor não pode ser alcançado daqui. Ele precisa ser público e usar uma porta habitual; o operador pode permitir outros em CARILLON_OUTBOUND_ALLOWED.',
  },
  appHostNotAllowed: {
    status: 400,
    en_US: 'Pages of this host can’t be embedded. The operator can allow the host in the system configuration.',
    zh_CN: '不允许嵌入该主机的页面。请由运营商在系统配置中允许该主机。',
    ko: '이 호스트의 페이지는 표시할 수 없습니다. 운영자가 시스템 설정에서 호스트를 허용해야 합니다.',
    pt_BR: 'Páginas deste host não podem ser mostradas aqui. O operador permite hosts na configuração do sistema.',
  },
});
