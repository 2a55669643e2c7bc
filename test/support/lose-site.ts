/** Removes all that a server has of a site but its backups, as if the machine had been installed again. */
export const loseSite = (slug: string): string => `docker rm -f -v fleetpress-site-${slug}
docker network rm fleetpress-site-${slug}
rm -rf /srv/fleetpress/sites/${slug} /srv/fleetpress/database-proxy/${slug}.cfg /srv/fleetpress/run/site-databases/${slug}
docker exec -i --user root fleetpress-database mariadb -e 'drop database if exists wp_${slug}; drop user if exists wp_${slug}@localhost'`
