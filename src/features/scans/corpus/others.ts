import { PAYLOADS } from './spelling.ts'
import type { Technique } from './technique.ts'

export const OTHERS: readonly Technique[] = [
  {
    name: 'PHP in pictures',
    severity: 'confirmed',
    extension: 'gif',
    samples: PAYLOADS.map(code => `GIF89a\x01\x00\x00<?php ${code} ?>\x00;`),
    honest: ['GIF89a\x01\x00\x01\x00<?xpacket begin="?"?>\x00;', 'GIF89a <?= not php'],
  },
  {
    name: 'handlers',
    severity: 'confirmed',
    extension: 'htaccess',
    samples: ['AddHandler', 'AddType'].flatMap(word => [
      `${word} application/x-httpd-php .jpg\n`,
      `<IfModule mod_mime.c>\n${word} application/x-httpd-php .png .gif\n</IfModule>\n`,
    ]),
    honest: [
      'AddType image/webp .webp\nAddHandler application/x-httpd-php .php\n',
      '<FilesMatch "\\.(jpg|png)$">\nHeader set Cache-Control "max-age=1"\n</FilesMatch>\n',
    ],
  },
  {
    name: 'shells in other languages',
    severity: 'confirmed',
    extension: 'jsp',
    samples: [
      `<% Runtime.getRuntime().exec(request.getParameter("cmd")); %>`,
      `<%@ page import="java.io.*" %><% new ProcessBuilder(request.getParameter("c").split(" ")).start(); %>`,
      `<% eval request("x") %>`,
      `<%@ Page Language="Jscript"%><%eval(Request.Item["x"],"unsafe");%>`,
    ],
    honest: [`<%= request.getParameter("name") %>`, `<% out.print(new Date()); %>`],
  },
]
